import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import type { Json } from "@/api/types";
import { faultOf, isWidgetKind } from "./check";
import { fixtures } from "./fixtures";
import { readShown } from "./read";
import schema from "./schema.json";
import { type PropsOf, type WidgetKind, widgetKinds } from "./spec";

const validator = new Validator(schema as never, "2020-12");
const valid = (widget: string, props?: Json) =>
  validator.validate({ widget, title: "T", ...(props === undefined ? {} : { props }) }).valid;
const defs = schema.$defs as unknown as Record<string, { properties?: object; required?: string[] }>;

const chart = { kind: "bar", x: "a", y: "b" };
const good: [WidgetKind, Json][] = [
  ["chart", { ...chart, y: ["b", "c"], series: "s", stacked: true, format: "currency:EUR" }],
  ["table", {}],
  ["table", { columns: ["a"], totals: [{ column: "a", fn: "avg" }], sortBy: { column: "a" } }],
  ["kpi", { value: "a", lowerIsBetter: true, note: "vs. last year" }],
  ["progress", { value: "a", label: "b", max: 0.5 }],
  ["flow", { from: "a", to: "b", totals: false }],
];
const bad: [WidgetKind, Json, string, string][] = [
  ["chart", { kind: "bar", x: "a" }, "props.y", "required"],
  ["chart", { ...chart, kind: "donut" }, "props.kind", "enum"],
  ["chart", { ...chart, y: [] }, "props.y", "length"],
  ["chart", { ...chart, y: ["b", 3] }, "props.y[1]", "type"],
  ["chart", { ...chart, y: "" }, "props.y", "length"],
  ["chart", { ...chart, options: { tooltip: "<b>" } }, "props.options", "additionalProperties"],
  ["chart", { ...chart, format: "currency:euro" }, "props.format", "pattern"],
  ["chart", { ...chart, stacked: "yes" }, "props.stacked", "type"],
  ["chart", [], "props", "type"],
  ["table", { totals: [{ column: "a", fn: "median" }] }, "props.totals[0].fn", "enum"],
  ["table", { sortBy: "a" }, "props.sortBy", "type"],
  ["table", { formats: [{ column: "a" }] }, "props.formats[0].format", "required"],
  ["kpi", { value: "a", note: "x".repeat(121) }, "props.note", "length"],
  ["card", {}, "props.title", "required"],
  ["progress", { value: "a", label: "b", max: 0 }, "props.max", "minimum"],
  ["progress", { value: "a", label: "b", max: 10, target: "c" }, "props", "not"],
  ["flow", { from: "a" }, "props.to", "required"],
  ["pivot", { rows: ["a"], columns: [], measure: { column: "c", fn: "sum" } }, "props.columns", "length"],
  ["pivot", { rows: ["a"], columns: ["b"], measure: { column: "c" } }, "props.measure.fn", "required"],
];

describe("the schema of widgets", () => {
  it.each(Object.entries(fixtures))("takes %s", (_, { widget, props }) => {
    expect(valid(widget, props as Json)).toBe(true);
    expect(faultOf(widget, props as Json)).toBeNull();
  });
  it.each(good)("takes props of %s %j", (widget, props) => {
    expect(valid(widget, props)).toBe(true);
    expect(faultOf(widget, props)).toBeNull();
  });
  it.each(bad)("refuses props of %s %j", (widget, props, path, rule) => {
    expect(valid(widget, props)).toBe(false);
    expect(faultOf(widget, props)).toEqual({ path, rule });
  });

  it("wants props from all but the table, and no unknown widget", () => {
    for (const kind of widgetKinds) expect(valid(kind)).toBe(kind === "table");
    expect(valid("map", {})).toBe(false);
    expect(isWidgetKind("map")).toBe(false);
    expect(schema.properties.widget.enum).toEqual([...widgetKinds]);
  });

  it("takes the examples of the page for users, with the columns of their queries", () => {
    const page = readFileSync(join(process.cwd(), "../docs/show-data.md"), "utf8");
    type Select = { as?: string; field?: string }[];
    const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map((match) => JSON.parse(match[1] ?? ""));
    expect(new Set(examples.map((each) => each.widget)).size).toBe(widgetKinds.length - 1);
    for (const { widget, props, query } of examples) {
      expect(faultOf(widget, props)).toBeNull();
      if (!query) continue;
      const columns = (query.select as Select).map(({ as, field }) => ({
        name: as ?? field?.split(".").at(-1) ?? "",
      }));
      expect(readShown({ widget, props, columns, rows: [] }).problem).toBeNull();
    }
  });

  it("is closed, and says of every property what it is", () => {
    const open: string[] = [];
    const walk = (node: unknown, path: string, isProperty: boolean) => {
      if (typeof node !== "object" || node === null) return;
      const { type, additionalProperties, description, properties, items } = node as Record<string, unknown>;
      if (type === "object" && properties && additionalProperties !== false) open.push(path);
      if (isProperty && !description && !("$ref" in node)) open.push(`${path} has no description`);
      for (const [name, each] of Object.entries(properties ?? {})) walk(each, `${path}.${name}`, true);
      walk(items, `${path}[]`, false);
    };
    walk(schema, "widget", false);
    for (const [name, node] of Object.entries(defs)) walk(node, name, true);
    expect(open).toEqual([]);
  });

  it("has the properties of the types, and the same of them required", () => {
    type Need<Props> = { [Name in keyof Props]-?: undefined extends Props[Name] ? "may" : "must" };
    const types: { [Kind in WidgetKind]: Need<PropsOf[Kind]> } = {
      chart: { kind: "must", x: "must", y: "must", series: "may", stacked: "may", format: "may" },
      table: { columns: "may", totals: "may", sortBy: "may", formats: "may" },
      kpi: {
        value: "must",
        label: "may",
        delta: "may",
        target: "may",
        format: "may",
        deltaFormat: "may",
        lowerIsBetter: "may",
        note: "may",
      },
      card: { title: "must", subtitle: "may", fields: "may", formats: "may" },
      list: { title: "must", subtitle: "may", badge: "may", formats: "may" },
      progress: { value: "must", label: "must", max: "may", target: "may", format: "may" },
      flow: { from: "must", to: "must", label: "may", nodeLabel: "may", totals: "may", format: "may" },
      pivot: { rows: "must", columns: "must", measure: "must", totals: "may" },
    };
    const ofSchema = Object.fromEntries(
      widgetKinds.map((kind) => {
        const { properties = {}, required = [] } = defs[kind] ?? {};
        const need = (name: string) => (required.includes(name) ? "must" : "may");
        return [kind, Object.fromEntries(Object.keys(properties).map((name) => [name, need(name)]))];
      }),
    );
    expect(ofSchema).toEqual(types);
  });
});
