import type { ChartKind } from "../spec";
import { type ChartData, positionsOf } from "./chart-data";
import { type Scale, share } from "./scale";
import { textWidth } from "./text";

/** Where things are in a drawing with two axes. `x` runs from the start of the page's direction. */
export type Layout = {
  width: number;
  height: number;
  top: number;
  bottom: number;
  left: number;
  right: number;
  rtl: boolean;
  y: (value: number) => number;
};

type Box = { width: number; height: number; rtl: boolean };

export function layoutOf({ width, height, rtl }: Box, scale: Scale, tickLabels: string[]): Layout {
  const labels = Math.min(Math.max(...tickLabels.map((each) => textWidth(each)), 16) + 14, width * 0.4);
  const [top, bottom] = [10, height - 24];
  return {
    width,
    height,
    top,
    bottom,
    left: rtl ? 10 : labels,
    right: rtl ? width - labels : width - 10,
    rtl,
    y: (value) => bottom - share(value, scale) * (bottom - top),
  };
}

/** The centre of each place: by its date or number for a course, side by side for the rest. */
export function centresOf(chart: ChartData, kind: ChartKind, layout: Layout): number[] {
  const { left, right, rtl } = layout;
  const flip = (x: number) => (rtl ? left + right - x : x);
  const positions = kind === "bar" ? null : positionsOf(chart);
  if (positions) {
    const ends = { min: Math.min(...positions), max: Math.max(...positions) };
    const inset = 14;
    return positions.map((each) => flip(left + inset + share(each, ends) * (right - left - 2 * inset)));
  }
  const band = (right - left) / Math.max(chart.places.length, 1);
  return chart.places.map((_, index) => flip(left + band * (index + 0.5)));
}

export function nearest(centres: number[], x: number): number | null {
  let best: number | null = null;
  for (const [index, centre] of centres.entries())
    if (best === null || Math.abs(centre - x) < Math.abs((centres[best] ?? 0) - x)) best = index;
  return best;
}
