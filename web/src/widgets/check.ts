import { isObject } from "@/api/json";
import type { Json, JsonSchema } from "@/api/types";
import schema from "./schema.json";
import { type WidgetKind, widgetKinds } from "./spec";

type Node = JsonSchema & { not?: JsonSchema };
export type Fault = { path: string; rule: string };

const defs = schema.$defs as unknown as Record<string, Node>;

export const isWidgetKind = (name: string): name is WidgetKind =>
  (widgetKinds as readonly string[]).includes(name);

/** The first thing in which props differ from the schema of their widget, or `null`. */
export function faultOf(kind: WidgetKind, props: Json): Fault | null {
  return check(props, { $ref: `#/$defs/${kind}` }, "props");
}

/** The keywords that `schema.json` uses, and no more; a test compares this with a full validator. */
function check(value: Json, node: Node, path: string): Fault | null {
  const fault = (rule: string): Fault => ({ path, rule });
  const ref = node.$ref ? defs[node.$ref.replace("#/$defs/", "")] : undefined;
  const inner = ref ? check(value, ref, path) : null;
  if (inner) return inner;
  if (node.type && ![node.type].flat().some((type) => isOfType(value, type))) return fault("type");
  if (node.enum && !node.enum.includes(value)) return fault("enum");
  if (typeof value === "string" && !fits(value.length, node.minLength, node.maxLength))
    return fault("length");
  if (typeof value === "string" && node.pattern && !new RegExp(node.pattern, "u").test(value))
    return fault("pattern");
  if (typeof value === "number" && value <= (node.exclusiveMinimum ?? Number.NEGATIVE_INFINITY))
    return fault("minimum");
  if (Array.isArray(value)) return checkItems(value, node, path);
  return isObject(value) ? checkObject(value, node, path) : null;
}

function checkItems(value: Json[], node: Node, path: string): Fault | null {
  if (!fits(value.length, node.minItems, node.maxItems)) return { path, rule: "length" };
  const { items } = node;
  if (typeof items !== "object") return null;
  return first(value, (each, index) => check(each, items, `${path}[${index}]`));
}

function checkObject(value: Record<string, Json>, node: Node, path: string): Fault | null {
  const { properties = {}, required = [] } = node;
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return { path: `${path}.${missing}`, rule: "required" };
  const together = node.not?.required;
  if (together?.every((name) => Object.hasOwn(value, name))) return { path, rule: "not" };
  return first(Object.entries(value), ([name, each]) => {
    const at = `${path}.${name}`;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (typeof property === "object") return check(each, property, at);
    return node.additionalProperties === false ? { path: at, rule: "additionalProperties" } : null;
  });
}

const fits = (length: number, min = 0, max = Number.POSITIVE_INFINITY): boolean =>
  length >= min && length <= max;

function isOfType(value: Json, type: string): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  return typeof value === type;
}

function first<Item>(items: Item[], find: (item: Item, index: number) => Fault | null): Fault | null {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found) return found;
  }
  return null;
}
