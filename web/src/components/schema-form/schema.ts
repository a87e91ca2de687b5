import type { Json, JsonObject, JsonSchema } from "@/api/types";

export type Field =
  | { kind: "text" | "number" | "integer" | "boolean" | "json" }
  | { kind: "choice"; options: Json[] }
  | { kind: "object"; properties: [string, JsonSchema][]; required: Set<string> }
  | { kind: "list"; items: JsonSchema }
  | { kind: "union"; variants: JsonSchema[] };

const MAX_DEPTH = 20;

/** Follows `$ref` into the definitions of the root. A reference that leads nowhere accepts anything. */
export function resolve(schema: JsonSchema | boolean | undefined, root: JsonSchema): JsonSchema {
  let current: JsonSchema = typeof schema === "object" ? schema : {};
  for (let depth = 0; current.$ref && depth < MAX_DEPTH; depth += 1) {
    const { $ref, ...beside } = current;
    current = { ...lookUp($ref, root), ...beside };
  }
  if (current.allOf) {
    const { allOf, ...own } = current;
    current = allOf.map((part) => resolve(part, root)).reduce<JsonSchema>(merged, own);
  }
  return withoutNull(current, root);
}

function lookUp(ref: string, root: JsonSchema): JsonSchema {
  let found: unknown = root;
  for (const part of ref.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    found = (found as Record<string, unknown> | undefined)?.[name];
  }
  return typeof found === "object" && found !== null ? (found as JsonSchema) : {};
}

function merged(left: JsonSchema, right: JsonSchema): JsonSchema {
  return {
    ...right,
    ...left,
    properties: { ...right.properties, ...left.properties },
    required: [...(right.required ?? []), ...(left.required ?? [])],
  };
}

/** "Something or null" is, in a form, the something that may stay empty. */
function withoutNull(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const variants = schema.anyOf ?? schema.oneOf;
  if (!variants) return schema;
  const real = variants.filter((each) => each.type !== "null");
  const [only] = real;
  if (real.length !== 1 || !only) return schema;
  const { anyOf: _anyOf, oneOf: _oneOf, ...beside } = schema;
  return { ...resolve(only, root), ...beside };
}

export function fieldOf(schema: JsonSchema, root: JsonSchema): Field {
  if (schema.enum) return { kind: "choice", options: schema.enum.filter((each) => each !== null) };
  if (schema.const !== undefined) return { kind: "choice", options: [schema.const] };
  const variants = (schema.anyOf ?? schema.oneOf)?.filter((each) => each.type !== "null");
  if (variants?.every((each) => each.const !== undefined))
    return { kind: "choice", options: variants.map((each) => each.const as Json) };
  if (variants && variants.length > 1) return { kind: "union", variants };
  const types = [schema.type ?? (schema.properties ? "object" : [])].flat().filter((each) => each !== "null");
  const [type] = types;
  if (types.length !== 1 || !type) return { kind: "json" };
  switch (type) {
    case "string":
      return { kind: "text" };
    case "number":
    case "integer":
    case "boolean":
      return { kind: type };
    case "array":
      return { kind: "list", items: resolve(schema.items, root) };
    case "object": {
      const properties = Object.entries(schema.properties ?? {}).map(([name, each]): [string, JsonSchema] => [
        name,
        typeof each === "object" ? each : {},
      ]);
      if (properties.length === 0) return { kind: "json" };
      return { kind: "object", properties, required: new Set(schema.required) };
    }
    default:
      return { kind: "json" };
  }
}

/** The value a fresh field begins with; `undefined` leaves it out of the request. */
export function initial(
  schema: JsonSchema,
  root: JsonSchema,
  required: boolean,
  depth = 0,
): Json | undefined {
  const resolved = resolve(schema, root);
  if (resolved.default !== undefined && resolved.default !== null) return resolved.default;
  if (!required || depth > 4) return undefined;
  const field = fieldOf(resolved, root);
  if (field.kind === "object") return initialObject(field, root, depth);
  if (field.kind === "list") return [];
  if (field.kind === "boolean") return false;
  if (field.kind === "choice" && field.options.length === 1) return field.options[0];
  return undefined;
}

function initialObject(
  field: Extract<Field, { kind: "object" }>,
  root: JsonSchema,
  depth: number,
): JsonObject {
  const value: JsonObject = {};
  for (const [name, each] of field.properties) {
    const begin = initial(each, root, field.required.has(name), depth + 1);
    if (begin !== undefined) value[name] = begin;
  }
  return value;
}

/** Which variant of a union a value looks like. */
export function variantOf(value: Json | undefined, variants: JsonSchema[], root: JsonSchema): number {
  const scores = variants.map((variant) => likeness(value, resolve(variant, root), root));
  const best = Math.max(...scores);
  return best > 0 ? scores.indexOf(best) : -1;
}

function likeness(value: Json | undefined, schema: JsonSchema, root: JsonSchema): number {
  if (value === undefined) return 0;
  const field = fieldOf(schema, root);
  if (field.kind === "choice") return field.options.includes(value) ? 3 : 0;
  if (Array.isArray(value)) return field.kind === "list" ? 2 : 0;
  if (typeof value === "object" && value !== null) {
    if (field.kind !== "object") return field.kind === "json" ? 1 : 0;
    const names = new Set(field.properties.map(([name]) => name));
    const keys = Object.keys(value);
    const fits =
      [...field.required].every((name) => keys.includes(name)) && keys.every((key) => names.has(key));
    return fits ? 2 + keys.length : 0;
  }
  const matches: Partial<Record<Field["kind"], string>> = {
    text: "string",
    number: "number",
    integer: "number",
    boolean: "boolean",
  };
  return matches[field.kind] === typeof value ? 2 : 0;
}

export function variantTitle(variant: JsonSchema, root: JsonSchema, index: number): string {
  const name = variant.$ref?.split("/").at(-1);
  const resolved = resolve(variant, root);
  const [only] = Object.keys(resolved.properties ?? {});
  return resolved.title ?? name ?? only ?? [resolved.type ?? `${index + 1}`].flat().join(" | ");
}
