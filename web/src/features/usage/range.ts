import type { Days } from "@/api/usage";
import type { UsageSearch } from "@/api/usage-search";

const DAY_MS = 86_400_000;
const DAYS_BACK = 29;

/** The day of a moment, in UTC. */
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const today = (now = Date.now()): string => dayAt(now);

const daysAfter = (day: string, days: number): string => dayAt(Date.parse(day) + days * DAY_MS);

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;

/** The days of the month so far. */
export const thisMonth = (day: string): Days => ({ from: firstOfMonth(day), to: day });

/** The days that are asked for. Where one of two is not given, or still being typed, they are 30. */
export function daysOf({ range, from, to }: UsageSearch, day: string): Days {
  switch (range) {
    case "month":
      return thisMonth(day);
    case "lastMonth": {
      const last = daysAfter(firstOfMonth(day), -1);
      return { from: firstOfMonth(last), to: last };
    }
    case "dates": {
      const end = isDay(to) ? to : day;
      return { from: isDay(from) ? from : daysAfter(end, -DAYS_BACK), to: end };
    }
    case undefined:
      return { from: daysAfter(day, -DAYS_BACK), to: day };
  }
}

const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^(19[7-9]|2\d\d)\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

export function everyDay({ from, to }: Days): string[] {
  const length = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, length) }, (_, index) => daysAfter(from, index));
}

/** The first days of all months that the days are in. */
export const everyMonth = (days: Days): string[] => [...new Set(everyDay(days).map(firstOfMonth))];
