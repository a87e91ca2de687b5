import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/api/types";
import { fixtures, odd } from "./fixtures";
import { isWidget } from "./is-widget";
import { readShown } from "./read";

const problem = (output: JsonObject) => readShown(output).problem;

describe("readShown", () => {
  it("draws what is asked for", () => {
    for (const fixture of Object.values(fixtures)) {
      const { widget, problem: none } = readShown(fixture);
      expect(none).toBeNull();
      expect(widget.kind).toBe(fixture.widget);
    }
  });
  it("says which columns there are not, wherever they are named", () => {
    expect(problem(odd.unknownColumn)).toEqual({ kind: "unknown-columns", names: ["revenu"] });
    const totals = { totals: [{ column: "x", fn: "sum" }], sortBy: { column: "y" }, columns: ["z"] };
    expect(problem({ ...fixtures.table, props: totals })).toEqual({
      kind: "unknown-columns",
      names: ["z", "x", "y"],
    });
    for (const name of ["label", "delta", "target", "value"])
      expect(problem({ ...fixtures.kpi, props: { value: "value", [name]: "nope" } })).toEqual({
        kind: "unknown-columns",
        names: ["nope"],
      });
    const measure = { rows: ["region"], columns: ["quarter"], measure: { column: "nope", fn: "sum" } };
    expect(problem({ ...fixtures.pivot, props: measure })?.kind).toBe("unknown-columns");
    const flow = { from: "from", to: "to", nodeLabel: "toString" };
    expect(problem({ ...fixtures.flow, props: flow })?.kind).toBe("unknown-columns");
  });
  it("falls back to a table", () => {
    expect(readShown(odd.unknownWidget).widget).toEqual({ kind: "table", props: {} });
    expect(problem(odd.unknownWidget)).toEqual({ kind: "unknown-widget", widget: "map" });
    expect(problem(odd.badProps)).toEqual({ kind: "props", path: "props.kind", rule: "enum" });
    expect(problem({ widget: "constructor", rows: [] })?.kind).toBe("unknown-widget");
  });
  it("makes do without columns, and without rows that are rows", () => {
    const { data } = readShown({ widget: "table", rows: [{ net_sum: "1.50", n: 2, name: "x" }, 7, null] });
    expect(data.columns).toEqual([
      { name: "net_sum", title: "Net sum", type: "decimal" },
      { name: "n", title: "N", type: "float" },
      { name: "name", title: "Name", type: "string" },
    ]);
    expect(data.rows).toHaveLength(1);
    const { data: odd } = readShown({
      widget: "table",
      rows: [],
      columns: [{ name: "a", type: "money" }, { name: "a", title: "Again" }, "b", null],
    });
    expect(odd.columns).toEqual([{ name: "a", title: "A", type: "string" }]);
  });
});

describe("isWidget", () => {
  it("wants a name and rows", () => {
    expect(isWidget({ widget: "map", rows: [] })).toBe(true);
    for (const other of [null, [], "x", {}, { widget: 1, rows: [] }, { widget: "table", rows: {} }])
      expect(isWidget(other as never)).toBe(false);
  });
});
