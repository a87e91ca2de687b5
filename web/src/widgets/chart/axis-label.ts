import { locale } from "@/lib/t";
import type { Column } from "../spec";
import type { Place } from "./chart-data";

const form = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
const years = form({ year: "numeric" });
const months = form({ month: "short" });
const monthsOfYears = form({ month: "short", year: "numeric" });
const days = form({ day: "numeric", month: "short" });
const full = form({ dateStyle: "medium" });

/** Labels that say no more than the axis needs: a month when each date is the first of one. */
export function axisLabels(places: Place[], x: Column): string[] {
  if (x.type !== "date") return places.map((place) => place.label);
  const dates = places.map((place) => new Date(`${String(place.value)}T00:00:00Z`));
  if (dates.some((date) => Number.isNaN(date.getTime()))) return places.map((place) => place.label);
  const oneYear = new Set(dates.map((date) => date.getUTCFullYear())).size === 1;
  const firsts = dates.every((date) => date.getUTCDate() === 1);
  const format = firsts
    ? dates.every((date) => date.getUTCMonth() === 0) && dates.length > 1
      ? years
      : oneYear
        ? months
        : monthsOfYears
    : oneYear
      ? days
      : full;
  return dates.map((date) => format.format(date));
}
