import { cellText } from "@/api/json";
import type { Json } from "@/api/types";
import { t } from "@/lib/t";
import { add, compare, type Decimal, decimalOf, toNumber, zero } from "../decimal";
import { labelText, measured, numberText, valueText } from "../format";
import { compareValues, isNothing } from "../sort";
import { type ChartProps, type Column, cellOf, columnOf, type Data, isNumeric, isTemporal } from "../spec";
import { monthLabels } from "./axis-label";

/** A place along the axis. */
export type Place = { label: string; value: Json };
/** `numbers` is for drawing; what is read comes from `exact`. */
export type Series = { name: string; numbers: (number | null)[]; exact: (Decimal | null)[] };
export type ChartData = {
  places: Place[];
  series: Series[];
  /** How many series there are; no more than `MOST_SERIES` of them are drawn. */
  seriesCount: number;
  x: Column;
  yTitle: string;
};

export const MOST_SERIES = 12;

const listed = (value: string | string[]): string[] => [...new Set([value].flat())];

/** Rows as series over places. Rows of the same place and series are added up, exactly. */
export function chartData(data: Data, props: ChartProps): ChartData {
  const x = columnOf(data, props.x);
  const measures = listed(props.y).map((name) => columnOf(data, name));
  const places = placesOf(data, x);
  const at = new Map(places.map((place, index) => [cellText(place.value), index]));
  const found = new Map<string, Series>();
  for (const row of data.rows) {
    const place = at.get(cellText(cellOf(row, x.name)));
    for (const measure of measures) {
      const name = nameOf(data, row, props, measure, measures.length);
      const series = found.get(name) ?? blank(name, places.length);
      found.set(name, series);
      const value = measured(cellOf(row, measure.name), measure);
      if (place === undefined || !value) continue;
      series.exact[place] = add(series.exact[place] ?? zero, value);
    }
  }
  const all = [...found.values()].map(drawn);
  return {
    places,
    series: mostOf(all),
    seriesCount: all.length,
    x,
    yTitle: measures.map((each) => each.title).join(", "),
  };
}

const blank = (name: string, length: number): Series => ({
  name,
  numbers: [],
  exact: Array.from({ length }, () => null),
});

function drawn(series: Series): Series {
  const numbers = series.exact.map((each) => {
    const number = each ? toNumber(each) : Number.NaN;
    return Number.isFinite(number) ? number : null;
  });
  return { ...series, numbers };
}

/** The largest series, in the order in which they came. */
function mostOf(series: Series[]): Series[] {
  const size = (each: Series) => each.numbers.reduce<number>((sum, n) => sum + Math.abs(n ?? 0), 0);
  const kept = new Set(series.toSorted((a, b) => size(b) - size(a)).slice(0, MOST_SERIES));
  return series.filter((each) => kept.has(each));
}

function nameOf(data: Data, row: Data["rows"][number], props: ChartProps, measure: Column, count: number) {
  if (!props.series) return measure.title;
  const value = labelText(cellOf(row, props.series), columnOf(data, props.series));
  return count > 1 ? `${value} · ${measure.title}` : value;
}

/** Numbers and dates in their order, words in that of the query. */
function placesOf(data: Data, x: Column): Place[] {
  const values = new Map(data.rows.map((row) => [cellText(cellOf(row, x.name)), cellOf(row, x.name)]));
  const list = [...values.values()];
  if (isNumeric(x.type) || isTemporal(x.type) || x.type === "time")
    list.sort((a, b) =>
      isNothing(a) || isNothing(b) ? Number(isNothing(a)) - Number(isNothing(b)) : compareValues(a, b, x),
    );
  const months = monthLabels(list, x);
  return list.map((value, index) => ({ value, label: months?.[index] ?? labelText(value, x) }));
}

/** Where the places stand on a continuous axis, if all of them have a number or a date. */
export function positionsOf({ places, x }: ChartData): number[] | null {
  if (!isNumeric(x.type) && !isTemporal(x.type)) return null;
  const numbers = places.map(({ value }) => numberAt(value, x));
  return numbers.every((each) => each !== null) && places.length > 1 ? (numbers as number[]) : null;
}

export function numberAt(value: Json, column: Column): number | null {
  const decimal = isTemporal(column.type) ? null : decimalOf(value);
  const number = decimal
    ? toNumber(decimal)
    : isTemporal(column.type)
      ? Date.parse(String(value))
      : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

export type Slice = { name: string; number: number; exact: Decimal };
export const MOST_SLICES = 8;

/** The parts of a pie, largest first; small ones are put together. What is below zero is no part of a whole. */
export function slicesOf({ places, series: [first] }: ChartData): { slices: Slice[]; left: number } {
  const all = places.flatMap((place, index) => {
    const exact = first?.exact[index];
    return exact ? [{ name: place.label, number: first?.numbers[index] ?? 0, exact }] : [];
  });
  const parts = all.filter((each) => each.number > 0).sort((a, b) => compare(b.exact, a.exact));
  const left = all.filter((each) => each.number < 0).length;
  if (parts.length <= MOST_SLICES) return { slices: parts, left };
  const rest = parts.slice(MOST_SLICES - 1);
  const exact = rest.map((each) => each.exact).reduce(add, zero);
  const other = { name: t("widget.otherSlices", { count: rest.length }), number: toNumber(exact), exact };
  return { slices: [...parts.slice(0, MOST_SLICES - 1), other], left };
}

export type Dot = { x: number; y: number; text: string };
export type Cloud = { name: string; dots: Dot[] };

/** Pairs of numbers, by series. Rows that lack one of the two are left out. */
export function cloudsOf(data: Data, props: ChartProps): Cloud[] {
  const x = columnOf(data, props.x);
  const measures = listed(props.y).map((name) => columnOf(data, name));
  const clouds = new Map<string, Cloud>();
  for (const row of data.rows) {
    for (const measure of measures) {
      const name = nameOf(data, row, props, measure, measures.length);
      const cloud = clouds.get(name) ?? { name, dots: [] };
      clouds.set(name, cloud);
      const [left, up] = [numberAt(cellOf(row, x.name), x), numberAt(cellOf(row, measure.name), measure)];
      const exact = measured(cellOf(row, measure.name), measure);
      if (left === null || up === null || !exact) continue;
      const text = `${x.title} ${valueText(cellOf(row, x.name), x)}, ${measure.title} ${numberText(exact, props.format)}`;
      cloud.dots.push({ x: left, y: up, text });
    }
  }
  return [...clouds.values()].slice(0, MOST_SERIES);
}
