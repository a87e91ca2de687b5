import { cellText, isObject } from "@/api/json";
import type { Json } from "@/api/types";
import { locale, t } from "@/lib/t";
import { type Decimal, decimalOf, textOf } from "./decimal";
import { type Column, type ColumnFormat, type Format, isNumeric } from "./spec";

const MOST_PLACES = 20;
const kept = new Map<string, Intl.NumberFormat>();

function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const format = kept.get(key) ?? new Intl.NumberFormat(locale, options);
  kept.set(key, format);
  return format;
}

const dates = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

/** How a number is written when there is more than its own digits to say. */
type Style = { sign?: boolean; brief?: "axis" | "compact" | "scientific" };

const brief: Record<NonNullable<Style["brief"]>, Intl.NumberFormatOptions> = {
  axis: { trailingZeroDisplay: "stripIfInteger" },
  compact: { notation: "compact", minimumFractionDigits: 0, maximumFractionDigits: 2 },
  scientific: { notation: "scientific", minimumFractionDigits: 0, maximumFractionDigits: 2 },
};

/** Writes a number in the language of the page. The digits go in as text, so that none is lost. */
export function numberText(value: Decimal, format: Format | undefined, style: Style = {}): string {
  const options: Intl.NumberFormatOptions = {
    ...optionsOf(format, Math.min(value.scale, MOST_PLACES)),
    ...(style.sign ? { signDisplay: "exceptZero" } : {}),
    ...(style.brief ? brief[style.brief] : {}),
  };
  return numberFormat(options).format(textOf(value) as Intl.StringNumericLiteral);
}

/** The labels of an axis, all written alike. */
export function tickTexts(ticks: number[], format: Format | undefined): string[] {
  const most = Math.max(...ticks.map(Math.abs));
  const style: Style = { brief: most >= 1e15 ? "scientific" : most >= 1e6 ? "compact" : "axis" };
  return ticks.map((tick) => {
    const value = decimalOf(tick);
    if (tick === 0 && style.brief === "scientific") return "0";
    return value ? numberText(value, format === "integer" ? undefined : format, style) : "";
  });
}

function optionsOf(format: Format | undefined, places: number): Intl.NumberFormatOptions {
  if (format === "integer") return { maximumFractionDigits: 0 };
  if (format === "percent") return { style: "percent", maximumFractionDigits: Math.max(0, places - 2) };
  if (format === "number") return { maximumFractionDigits: places };
  const [, currency] = /^currency:([A-Z]{3})$/.exec(format ?? "") ?? [];
  if (!currency) return { minimumFractionDigits: places, maximumFractionDigits: places };
  const usual = numberFormat({ style: "currency", currency }).resolvedOptions();
  return {
    style: "currency",
    currency,
    minimumFractionDigits: usual.minimumFractionDigits ?? 2,
    maximumFractionDigits: Math.max(usual.maximumFractionDigits ?? 2, places),
  };
}

/** A float carries digits that nobody measured: 0.30000000000000004 is 0.3. */
export function measured(value: Json | undefined, column: Column): Decimal | null {
  if (column.type !== "float" || typeof value !== "number") return decimalOf(value);
  return decimalOf(Number(value.toPrecision(12)));
}

/** A year or a key is a name made of digits: 2026, and not 2,026. */
const isName = ({ name, type }: Column): boolean =>
  type === "integer" && /(^|_)(id|year|number|code|zip|nr)$/i.test(name);

/** The text of what things are told apart by: whole numbers without marks between the thousands. */
export function labelText(value: Json | undefined, column: Column): string {
  const plain: Column = column.type === "integer" ? { ...column, type: "string" } : column;
  return valueText(value, plain) || t("widget.empty");
}

/** The text of a cell. Empty stays empty. */
export function valueText(value: Json | undefined, column: Column, format?: Format): string {
  if (value === null || value === undefined) return "";
  if (isObject(value) && value.withheld === true) return t("widget.withheld");
  if (isName(column) && !format) return cellText(value);
  if (isNumeric(column.type) || format) {
    const decimal = measured(value, column);
    return decimal ? numberText(decimal, format) : cellText(value);
  }
  if (typeof value === "boolean") return t(value ? "widget.yes" : "widget.no");
  if (typeof value !== "string") return cellText(value);
  if (column.type === "date") return dateText(value);
  if (column.type === "datetime") return momentText(value);
  return column.type === "time" ? value.replace(/^(\d\d:\d\d):\d\d(\.\d+)?$/, "$1") : value;
}

export function dateText(value: string): string {
  const at = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? value : dates.format(at);
}

export function momentText(value: string): string {
  const at = /^\d{4}-\d\d-\d\d[T ]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? value : moments.format(at);
}

export const formatOf = (formats: ColumnFormat[] | undefined, column: string): Format | undefined =>
  formats?.find((each) => each.column === column)?.format;
