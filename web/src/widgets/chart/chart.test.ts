import { describe, expect, it } from "vitest";
import { textOf } from "../decimal";
import { fixtures, odd } from "../fixtures";
import type { ChartProps, Data } from "../spec";
import { axisLabels } from "./axis-label";
import { chartData, cloudsOf, MOST_SERIES, positionsOf, slicesOf } from "./chart-data";
import { centresOf, layoutOf, nearest } from "./layout";
import { extentOf, scaleOf, stack } from "./scale";
import { apart, fitted, textWidth } from "./text";

const data: Data = {
  columns: [
    { name: "day", title: "Day", type: "date" },
    { name: "shop", title: "Shop", type: "string" },
    { name: "sum", title: "Sum", type: "decimal" },
    { name: "cost", title: "Cost", type: "decimal" },
  ],
  rows: [
    { day: "2026-02-01", shop: "B", sum: "1.10", cost: "1" },
    { day: "2026-01-01", shop: "A", sum: "0.10", cost: null },
    { day: "2026-01-01", shop: "A", sum: "0.20", cost: "2" },
    { day: null, shop: null, sum: "-3", cost: "x" },
  ],
  truncated: false,
};
const chart = (props: Partial<ChartProps>) => chartData(data, { kind: "bar", x: "day", y: "sum", ...props });

describe("chartData", () => {
  it("puts dates in order, and adds up rows of one place exactly", () => {
    const { places, series } = chart({});
    expect(places.map((place) => place.label)).toEqual(["Jan 1, 2026", "Feb 1, 2026", "(empty)"]);
    expect(series).toHaveLength(1);
    expect(series[0]?.exact.map((each) => each && textOf(each))).toEqual(["0.30", "1.10", "-3"]);
  });
  it("splits by a column, and leaves gaps where there is nothing", () => {
    const { series } = chart({ series: "shop" });
    expect(series.map((each) => [each.name, each.numbers])).toEqual([
      ["B", [null, 1.1, null]],
      ["A", [0.3, null, null]],
      ["(empty)", [null, null, -3]],
    ]);
  });
  it("takes several measures, also of several series", () => {
    expect(chart({ y: ["sum", "cost", "sum"] }).series.map((each) => each.name)).toEqual(["Sum", "Cost"]);
    const names = chart({ y: ["sum", "cost"], series: "shop" }).series.map((each) => each.name);
    expect(names).toContain("A · Cost");
    expect(names).toHaveLength(6);
  });
  it("draws the largest of too many series", () => {
    const many = chartData(odd.manySeries, odd.manySeries.props as ChartProps);
    expect([many.series.length, many.seriesCount]).toEqual([MOST_SERIES, 40]);
  });
  it("places a course by its dates, when all are there", () => {
    expect(positionsOf(chart({}))).toBeNull();
    const whole = chartData({ ...data, rows: data.rows.slice(0, 3) }, { kind: "line", x: "day", y: "sum" });
    expect(positionsOf(whole)).toEqual([Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1)]);
  });
});

describe("pies and clouds", () => {
  it("has largest parts first, the small ones together, and none below zero", () => {
    const { slices, left } = slicesOf(chartData(fixtures.pie, fixtures.pie.props));
    expect(slices.map((slice) => slice.name)).toEqual([
      "Germany",
      "France",
      "Spain",
      "Italy",
      "Poland",
      "Sweden",
      "Norway",
      "2 others",
    ]);
    expect(textOf(slices[7]?.exact ?? { digits: 0n, scale: 0 })).toBe("12277.78");
    expect(left).toBe(1);
  });
  it("leaves out pairs of which one is missing", () => {
    const clouds = cloudsOf(data, { kind: "scatter", x: "sum", y: "cost" });
    expect(clouds.flatMap((cloud) => cloud.dots.map((dot) => [dot.x, dot.y]))).toEqual([
      [1.1, 1],
      [0.2, 2],
    ]);
  });
});

describe("scales", () => {
  it("have round ticks around the values", () => {
    expect(scaleOf(0, 167_183).ticks).toEqual([0, 50_000, 100_000, 150_000, 200_000]);
    expect(scaleOf(-0.07, 0.08).ticks).toEqual([-0.1, -0.05, 0, 0.05, 0.1]);
    expect(scaleOf(0, 0).ticks).toEqual([0, 0.25, 0.5, 0.75, 1]);
    for (const [min, max] of [
      [5, 5],
      [-3, -3],
      [1e300, 2e300],
      [0, 1e-9],
    ] as const) {
      const scale = scaleOf(min, max);
      expect(scale.ticks.length).toBeLessThan(9);
      expect(scale.min).toBeLessThanOrEqual(min);
      expect(scale.max).toBeGreaterThanOrEqual(max);
    }
  });
  it("begin at zero for bars, and not for a line far from there", () => {
    const far = [{ name: "a", numbers: [980, 1000], exact: [] }];
    expect(extentOf(far, "bar", false)).toEqual([0, 1000]);
    expect(extentOf(far, "line", false)).toEqual([980, 1000]);
    expect(extentOf([{ name: "a", numbers: [null], exact: [] }], "bar", false)).toEqual([0, 1]);
  });
  it("stack up above zero and down below", () => {
    const of = (...numbers: (number | null)[]) => ({ name: "", numbers, exact: [] });
    const stacked = [of(1, -1), of(2, -2), of(null, 5)];
    expect(stack(stacked)).toEqual([
      [
        [0, 1],
        [0, -1],
      ],
      [
        [1, 3],
        [-1, -3],
      ],
      [
        [3, 3],
        [0, 5],
      ],
    ]);
    expect(extentOf(stacked, "bar", true)).toEqual([-3, 5]);
  });
});

describe("labels", () => {
  it("say no more than they need", () => {
    const labels = (...values: string[]) =>
      axisLabels(
        values.map((value) => ({ value, label: value })),
        { name: "d", title: "D", type: "date" },
      );
    expect(labels("2026-01-01", "2026-02-01")).toEqual(["Jan", "Feb"]);
    expect(labels("2025-12-01", "2026-01-01")).toEqual(["Dec 2025", "Jan 2026"]);
    expect(labels("2025-01-01", "2026-01-01")).toEqual(["2025", "2026"]);
    expect(labels("2026-01-05", "2026-01-06")).toEqual(["Jan 5", "Jan 6"]);
    expect(labels("2026-01-05", "soon")).toEqual(["2026-01-05", "soon"]);
  });
  it("are cut to fit and stand apart evenly", () => {
    expect(fitted("Kettle", 100)).toBe("Kettle");
    expect(textWidth(fitted("A very long name of a product", 60))).toBeLessThanOrEqual(60);
    expect(apart([0, 20, 40, 60, 80], [30, 30, 30, 30, 30])).toEqual([0, 2, 4]);
    expect(apart([0, 50], [30, 30])).toEqual([0, 1]);
    expect(apart([], [])).toEqual([]);
  });
  it("run from the other side where reading does", () => {
    const { places, series } = chartData(fixtures.bar, fixtures.bar.props);
    const scale = scaleOf(...extentOf(series, "bar", false));
    const box = { width: 600, height: 200 };
    const layouts = [false, true].map((rtl) => layoutOf({ ...box, rtl }, scale, ["€200,000"]));
    const [there, back] = layouts.map((layout) =>
      centresOf(
        { places, series, seriesCount: 2, x: { name: "", title: "", type: "string" }, yTitle: "" },
        "bar",
        layout,
      ),
    );
    expect(there?.map((x) => Math.round(600 - x))).toEqual(back?.map(Math.round));
    expect(nearest(there ?? [], 600)).toBe(9);
  });
});
