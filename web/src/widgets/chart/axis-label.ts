import type { Json } from "@/api/types";
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

/** The dates of an axis, or `null` when one of the values is none. */
function datesOf(values: Json[], x: Column): Date[] | null {
  if (x.type !== "date") return null;
  const dates = values.map((value) => new Date(`${String(value)}T00:00:00Z`));
  return dates.some((date) => Number.isNaN(date.getTime())) ? null : dates;
}

const isMonthly = (dates: Date[]): boolean =>
  dates.length > 1 && dates.every((date) => date.getUTCDate() === 1);

/** Where each date is the first of a month, months are meant: "Mar 2026". */
export function monthLabels(values: Json[], x: Column): string[] | null {
  const dates = datesOf(values, x);
  return dates && isMonthly(dates) ? dates.map((date) => monthsOfYears.format(date)) : null;
}

/** Labels that say no more than the axis needs: a month when each date is the first of one. */
export function axisLabels(places: Place[], x: Column): string[] {
  const dates = datesOf(
    places.map((place) => place.value),
    x,
  );
  if (!dates) return places.map((place) => place.label);
  const format = formatOf(dates);
  return dates.map((date) => format.format(date));
}

function formatOf(dates: Date[]): Intl.DateTimeFormat {
  const oneYear = new Set(dates.map((date) => date.getUTCFullYear())).size === 1;
  if (!isMonthly(dates)) return oneYear ? days : full;
  if (dates.every((date) => date.getUTCMonth() === 0)) return years;
  return oneYear ? months : monthsOfYears;
}
