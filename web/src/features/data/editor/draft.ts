import { isObject } from "@/api/json";
import type { Json, JsonObject } from "@/api/types";

/** A field as it is edited: its name may be wrong or be there twice. */
export type FieldDraft = { key: number; name: string; definition: JsonObject };
/** A data model as it is edited: its fields, and all else. Keys that the form does not know are in it. */
export type ModelDraft = { head: JsonObject; fields: FieldDraft[] };

export const emptyDraft: ModelDraft = { head: {}, fields: [] };

const headKeys = ["name", "title", "title_plural", "help", "display", "versioned"];
const fieldKeys = [
  "type",
  "title",
  "help",
  "model",
  "inverse",
  "required",
  "unique",
  "index",
  "sensitive",
  "read_only",
  "default",
  "options",
  "precision",
  "scale",
  "length",
  "min_length",
  "pattern",
  "min",
  "max",
  "media_types",
];

/** Whether the form can hold all of it: the shape is a model's, and no number is beyond what JavaScript keeps. */
export function isEditable(definition: Json | undefined): definition is JsonObject {
  if (!isObject(definition)) return false;
  const { fields = {} } = definition;
  return isObject(fields) && Object.values(fields).every(isObject) && isExact(definition);
}

function isExact(value: Json): boolean {
  if (typeof value === "number") return !Number.isInteger(value) || Number.isSafeInteger(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isExact);
}

export function toDraft(definition: JsonObject): ModelDraft {
  const { fields, ...head } = definition;
  const named = isObject(fields) ? Object.entries(fields) : [];
  return {
    head,
    fields: named.map(([name, field], key) => ({ key, name, definition: isObject(field) ? field : {} })),
  };
}

export function toDefinition({ head, fields }: ModelDraft): JsonObject {
  const named = fields.map(({ name, definition }) => [name, ordered(definition, fieldKeys)] as const);
  return { ...ordered(head, headKeys), fields: Object.fromEntries(named) };
}

/** The known keys first and in their order, then the others in theirs. */
function ordered(object: JsonObject, keys: string[]): JsonObject {
  const rank = (key: string) => (keys.includes(key) ? keys.indexOf(key) : keys.length);
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => rank(a) - rank(b)));
}

/** The object with one key set, at its place; without the key when there is no value. */
export function withKey(object: JsonObject, key: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...object, [key]: value };
  const { [key]: _gone, ...rest } = object;
  return rest;
}

/** A text of the object; nothing for what is no text. */
export const textAt = (object: JsonObject, key: string): string => {
  const value = object[key];
  return typeof value === "string" ? value : "";
};

export function withNewField(fields: FieldDraft[]): FieldDraft[] {
  const key = Math.max(-1, ...fields.map((field) => field.key)) + 1;
  return [...fields, { key, name: "", definition: { type: "string" } }];
}

/** The fields with one of them moved; as they are where it can't be. */
export function moved(fields: FieldDraft[], from: number, to: number): FieldDraft[] {
  const field = fields[from];
  if (!field || to < 0 || to >= fields.length) return fields;
  const rest = fields.filter((_, index) => index !== from);
  return [...rest.slice(0, to), field, ...rest.slice(to)];
}
