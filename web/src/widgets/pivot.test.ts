import { describe, expect, it } from "vitest";
import { fixtures } from "./fixtures";
import { pivotOf, spanOf } from "./pivot";
import type { Data } from "./spec";

const columns = [
  { name: "region", title: "Region", type: "string" },
  { name: "year", title: "Year", type: "integer" },
  { name: "sum", title: "Sum", type: "decimal" },
] satisfies Data["columns"];
const data: Data = {
  columns,
  rows: [
    { region: "South", year: 2026, sum: "0.10" },
    { region: "North", year: 2025, sum: "5.00" },
    { region: "South", year: 2026, sum: "0.20" },
    { region: "North", year: null, sum: "1.00" },
    { region: "South", year: 2025, sum: null },
  ],
  truncated: false,
};
const props = { rows: ["region"], columns: ["year"] };

describe("pivotOf", () => {
  it("adds up exactly, sorts numbers, and leaves words in their order", () => {
    const pivot = pivotOf(data, { ...props, measure: { column: "sum", fn: "sum" } });
    expect(pivot.down.map((key) => key.values)).toEqual([["South"], ["North"]]);
    expect(pivot.across.map((key) => key.values)).toEqual([[2025], [2026], [null]]);
    expect(pivot.cells).toEqual([
      [null, "0.30", null],
      ["5.00", null, "1.00"],
    ]);
    expect(pivot.totals).toEqual({ down: ["0.30", "6.00"], across: ["5.00", "0.30", "1.00"], all: "6.30" });
  });
  it("takes the average of the rows and not of the averages", () => {
    const pivot = pivotOf(data, { ...props, measure: { column: "sum", fn: "avg" } });
    expect(pivot.totals.all).toBe("1.575");
    expect(pivot.totals.down).toEqual(["0.15", "3.00"]);
  });
  it("counts, and tells zero from no rows at all", () => {
    const pivot = pivotOf(data, { ...props, measure: { column: "sum", fn: "count" } });
    expect(pivot.cells).toEqual([
      [0, 2, null],
      [1, null, 1],
    ]);
    expect(pivot.column.type).toBe("integer");
  });
  it("does not mix up names that look like others put together", () => {
    const odd: Data = {
      columns: ["a", "b", "c"].map((name) => ({ name, title: name, type: "string" })),
      rows: [
        { a: "x,y", b: "z", c: "1" },
        { a: "x", b: "y,z", c: "2" },
      ],
      truncated: false,
    };
    const pivot = pivotOf(odd, { rows: ["a", "b"], columns: ["c"], measure: { column: "c", fn: "count" } });
    expect(pivot.down).toHaveLength(2);
  });
  it("keeps inner lines together under their outer one", () => {
    const { props: deep, ...rest } = fixtures.deepPivot;
    const { down, across } = pivotOf(rest, deep);
    expect(down.map((_, index) => spanOf(down, index, 0))).toEqual([2, 0, 2, 0, 2, 0, 2, 0]);
    expect(down.map((_, index) => spanOf(down, index, 1))).toEqual(down.map(() => 1));
    expect(across.map((_, index) => spanOf(across, index, 0))).toEqual([2, 0, 2, 0]);
  });
});
