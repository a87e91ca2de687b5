import { locale, t } from "./t";

const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
const counts = new Intl.NumberFormat(locale);
const clock = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" });
const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const full = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
const utcDay = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
const exact = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
  second: "2-digit",
});
const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

export function duration(ms: number): string {
  if (ms < 500) return t("format.milliseconds", { n: counts.format(Math.round(ms)) });
  if (ms < 60_000) return t("format.seconds", { n: tenths.format(ms / 1000) });
  return t("format.minutes", { n: tenths.format(ms / 60_000) });
}

export const percent = (share: number): string => percents.format(share);
export const count = (n: number): string => counts.format(n);

/** A time as one reads it in a list: the hour today, the day before that. */
export function shortTime(iso: string, now = new Date()): string {
  const at = new Date(iso);
  return at.toDateString() === now.toDateString() ? clock.format(at) : day.format(at);
}

/** A time to the second, as the lines of an audit have it. */
export const exactTime = (iso: string): string => exact.format(new Date(iso));

/** A day without an hour, such as 2026-01-31, or the day of a moment in UTC. */
export const dayText = (iso: string): string => utcDay.format(new Date(iso));

export const longTime = (iso: string): string => full.format(new Date(iso));

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** "in 14 minutes", "2 days ago". */
export function fromNow(iso: string, now = Date.now()): string {
  const ms = new Date(iso).getTime() - now;
  for (const [unit, size] of units)
    if (Math.abs(ms) >= size) return relative.format(Math.trunc(ms / size), unit);
  return relative.format(Math.trunc(ms / 1000), "second");
}

export function bytes(n: number): string {
  if (n < 1024) return t("format.bytes", { n: counts.format(n) });
  if (n < 1024 * 1024) return t("format.kilobytes", { n: tenths.format(n / 1024) });
  return t("format.megabytes", { n: tenths.format(n / 1024 / 1024) });
}
