import type { Json, JsonObject } from "./types";

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isScalar = (value: Json | undefined): boolean =>
  value === undefined || typeof value !== "object" || value === null;

export const isReference = (value: Json): value is JsonObject =>
  isObject(value) && typeof nameOf(value) === "string";
export const isScalarList = (value: Json): value is Json[] => Array.isArray(value) && value.every(isScalar);
const nameOf = (value: JsonObject): Json | undefined =>
  value.display ?? value.display_name ?? value.displayName ?? value.name;

/** One field of a saved record, as `update_record` answers it. */
const isChange = (value: Json): value is JsonObject =>
  isObject(value) && typeof value.field === "string" && "before" in value && "after" in value;

/** The text of one cell. */
export function cellText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value);
  if (isScalarList(value)) return value.map(cellText).join(", ");
  if (Array.isArray(value) && value.length > 0 && value.every(isChange))
    return value.map(cellText).join("; ");
  if (isChange(value))
    return `${value.label ?? value.field}: ${cellText(value.before) || "–"} → ${cellText(value.after) || "–"}`;
  if (isReference(value)) return String(nameOf(value));
  return JSON.stringify(value);
}
