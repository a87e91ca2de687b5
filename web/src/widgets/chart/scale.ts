import type { ChartKind } from "../spec";
import type { Series } from "./chart-data";

export type Scale = { min: number; max: number; ticks: number[] };

/** Round numbers that span from `min` to `max`. */
export function scaleOf(min: number, max: number, about = 4): Scale {
  const [low, high] = min === max ? [Math.min(0, min), max === 0 ? 1 : Math.max(0, max)] : [min, max];
  const rough = (high - low) / about || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= rough * 0.999) ?? 10) * power;
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => tidy((first + index) * step));
  return { min: ticks[0] ?? low, max: ticks.at(-1) ?? high, ticks };
}

/** 0.30000000000000004 as an axis would have it. */
const tidy = (n: number): number => Number(n.toPrecision(12));

/** Where a value lies between the ends of the scale, from 0 to 1. */
export const share = (value: number, { min, max }: { min: number; max: number }): number =>
  max === min ? 0.5 : (value - min) / (max - min);

/** The span of the values. Bars and areas begin at zero; a line may not, when all of it is far from there. */
export function extentOf(series: Series[], kind: ChartKind, stacked: boolean): [number, number] {
  const values = stacked
    ? stack(series).flatMap((each) => each.flat())
    : series.flatMap((each) => each.numbers.filter((n): n is number => n !== null));
  const [min, max] = [Math.min(...values, Number.MAX_VALUE), Math.max(...values, -Number.MAX_VALUE)];
  if (values.length === 0) return [0, 1];
  const fromZero = kind === "bar" || kind === "area" || (min >= 0 && min < max / 2);
  return fromZero ? [Math.min(0, min), Math.max(0, max)] : [min, max];
}

/** Lower and upper end of each value when series stand on each other; below zero they hang down. */
export function stack(series: Series[]): [number, number][][] {
  const up: number[] = [];
  const down: number[] = [];
  return series.map(({ numbers }) =>
    numbers.map((each, index) => {
      const value = each ?? 0;
      const base = value < 0 ? down : up;
      const from = base[index] ?? 0;
      base[index] = from + value;
      return [from, from + value];
    }),
  );
}
