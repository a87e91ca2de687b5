import { isObject } from "@/api/json";
import type { Json, JsonObject } from "@/api/types";
import { humanise } from "@/lib/labels";
import { faultOf, isWidgetKind } from "./check";
import { decimalOf } from "./decimal";
import type { Column, ColumnType, Data, Problem, Shown, Widget, WidgetKind } from "./spec";

const types: ReadonlySet<string> = new Set<ColumnType>([
  "string",
  "text",
  "integer",
  "decimal",
  "float",
  "boolean",
  "date",
  "time",
  "datetime",
  "uuid",
  "selection",
  "json",
]);

/** Makes of an answer what can be drawn for certain. What is wrong with it becomes a problem and a table. */
export function readShown(output: JsonObject): Shown {
  const rows = Array.isArray(output.rows) ? output.rows.filter(isObject) : [];
  const data: Data = { columns: columnsOf(output.columns, rows), rows, truncated: output.truncated === true };
  const asked = typeof output.widget === "string" ? output.widget : "";
  const props = output.props ?? {};
  const problem = problemOf(asked, props, data);
  const widget = problem ? { kind: "table", props: {} } : { kind: asked, props };
  return {
    title: typeof output.title === "string" ? output.title : "",
    asOf: typeof output.asOf === "string" ? output.asOf : null,
    data,
    widget: widget as Widget,
    problem,
  };
}

function problemOf(asked: string, props: Json, data: Data): Problem | null {
  if (!isWidgetKind(asked)) return { kind: "unknown-widget", widget: asked };
  const fault = faultOf(asked, props);
  if (fault) return { kind: "props", ...fault };
  const known = new Set(data.columns.map((each) => each.name));
  const names = [...columnsIn(asked, props as JsonObject)].filter((name) => !known.has(name));
  return names.length > 0 ? { kind: "unknown-columns", names } : null;
}

const columnProps: Record<WidgetKind, string[]> = {
  chart: ["x", "y", "series"],
  table: ["columns", "totals", "sortBy", "formats"],
  kpi: ["value", "label", "delta", "target"],
  card: ["title", "subtitle", "fields", "formats"],
  list: ["title", "subtitle", "badge", "formats"],
  progress: ["value", "label", "target"],
  flow: ["from", "to", "label", "nodeLabel"],
  pivot: ["rows", "columns", "measure"],
};

/** The columns that props name, whichever way they do. */
function columnsIn(kind: WidgetKind, props: JsonObject): Set<string> {
  const values = columnProps[kind].flatMap((name) => props[name] ?? []);
  return new Set(
    values
      .map((each) => (isObject(each) ? each.column : each))
      .filter((name): name is string => typeof name === "string"),
  );
}

function columnsOf(given: Json | undefined, rows: JsonObject[]): Column[] {
  const columns = (Array.isArray(given) ? given : []).flatMap((each) => columnFrom(each) ?? []);
  if (columns.length > 0) return columns.filter((each, index) => isFirst(columns, each, index));
  return [...new Set(rows.flatMap((row) => Object.keys(row)))].map((name) => ({
    name,
    title: humanise(name),
    type: guess(rows.map((row) => row[name])),
  }));
}

const isFirst = (columns: Column[], column: Column, index: number): boolean =>
  columns.findIndex((each) => each.name === column.name) === index;

function columnFrom(value: Json): Column | null {
  if (!isObject(value) || typeof value.name !== "string") return null;
  const { name, title, type } = value;
  return {
    name,
    title: typeof title === "string" && title !== "" ? title : humanise(name),
    type: typeof type === "string" && types.has(type) ? (type as ColumnType) : "string",
  };
}

/** Without columns from the server, numbers are still told from text. */
function guess(values: (Json | undefined)[]): ColumnType {
  const some = values.filter((each) => each !== null && each !== undefined);
  if (some.length === 0) return "string";
  if (some.every((each) => typeof each === "number")) return "float";
  if (some.every((each) => typeof each === "string" && /^-?\d+\.\d+$/.test(each) && decimalOf(each)))
    return "decimal";
  return "string";
}
