import { isObject, isReference, isScalar, isScalarList } from "@/api/json";
import type { Json, JsonObject } from "@/api/types";
import { isWidget } from "@/widgets/is-widget";

export type Handle = { handle: string; preview: string; bytes: number; shape: string };
export type Rows = { rows: JsonObject[]; columns: string[]; total: number | null };

export type Shape =
  | { kind: "handle"; handle: Handle }
  | { kind: "widget"; output: JsonObject }
  | { kind: "rows"; rows: Rows }
  | { kind: "fields"; fields: [string, Json][] }
  | { kind: "text"; text: string }
  | { kind: "nothing" }
  | { kind: "json" };

/** Decides how a result is best looked at. */
export function shapeOf(value: Json | undefined): Shape {
  if (value === undefined || value === null) return { kind: "nothing" };
  if (typeof value === "string") return value === "" ? { kind: "nothing" } : { kind: "text", text: value };
  if (typeof value !== "object") return { kind: "text", text: String(value) };
  if (Array.isArray(value)) return rowsOf(value, null) ?? { kind: "json" };
  if (typeof value.handle === "string" && value.handle.startsWith("handle://"))
    return { kind: "handle", handle: value as unknown as Handle };
  return isWidget(value) ? { kind: "widget", output: value } : objectShape(value);
}

function objectShape(value: JsonObject): Shape {
  const entries = Object.entries(value);
  const lists = entries.filter(([, each]) => Array.isArray(each) && each.length > 0 && each.every(isObject));
  const [only] = lists;
  if (only && lists.length === 1) {
    const total = [value.total, value.count, value.totalCount].find((each) => typeof each === "number");
    const rows = rowsOf(only[1] as Json[], total ?? null);
    const isWrapper = entries.every(([, each]) => isScalar(each) || each === only[1]);
    if (rows && isWrapper) return rows;
  }
  const [first] = entries;
  if (entries.length === 1 && first && isObject(first[1])) return objectShape(first[1]);
  const readable = entries.every(([, each]) => isScalar(each) || isReference(each) || isScalarList(each));
  return readable && entries.length > 0 ? { kind: "fields", fields: entries } : { kind: "json" };
}

function rowsOf(list: Json[], total: number | null): Shape | null {
  if (list.length === 0 || !list.every(isObject)) return null;
  const columns = [...new Set(list.flatMap((row) => Object.keys(row)))];
  return { kind: "rows", rows: { rows: list, columns, total } };
}
