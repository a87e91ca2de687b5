import type { Json, JsonObject } from "@/api/types";

export const fieldTypes = [
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
  "multi_selection",
  "json",
  "binary",
  "many_to_one",
  "one_to_many",
  "many_to_many",
] as const;
export type FieldType = (typeof fieldTypes)[number];

export const isFieldType = (value: Json | undefined): value is FieldType =>
  fieldTypes.some((each) => each === value);

export type Flag = "required" | "unique" | "index" | "sensitive" | "read_only";
export type Limit = "length" | "min_length" | "pattern" | "min" | "max" | "precision" | "scale";

type Takes = { flags: Flag[]; limits: Limit[]; hasDefault: boolean; own: string[] };

const stored: Flag[] = ["required", "unique", "index", "sensitive", "read_only"];
const plain = (limits: Limit[], own: string[] = []): Takes => ({
  flags: stored,
  limits,
  hasDefault: true,
  own,
});
const links = (own: string[]): Takes => ({
  flags: ["sensitive", "read_only"],
  limits: [],
  hasDefault: false,
  own,
});

/** What a field of each type can say besides its title and help. */
const takes: Record<FieldType, Takes> = {
  string: plain(["length", "min_length", "pattern"]),
  text: plain(["length", "min_length", "pattern"]),
  integer: plain(["min", "max"]),
  decimal: plain(["precision", "scale", "min", "max"]),
  float: plain(["min", "max"]),
  boolean: plain([]),
  date: plain(["min", "max"]),
  time: plain(["min", "max"]),
  datetime: plain(["min", "max"]),
  uuid: plain([]),
  selection: plain([], ["options"]),
  multi_selection: plain([], ["options"]),
  json: plain(["length"]),
  binary: {
    flags: ["required", "sensitive", "read_only"],
    limits: ["length"],
    hasDefault: false,
    own: ["media_types"],
  },
  many_to_one: plain([], ["model"]),
  one_to_many: links(["model", "inverse"]),
  many_to_many: links(["model", "inverse", "through"]),
};

export const flagsOf = (type: FieldType): Flag[] => takes[type].flags;
export const limitsOf = (type: FieldType): Limit[] => takes[type].limits;
export const hasDefault = (type: FieldType): boolean => takes[type].hasDefault;
export const has = (type: FieldType, key: string): boolean => takes[type].own.includes(key);

/** The types whose values are written alike. */
const families: FieldType[][] = [
  ["string", "text"],
  ["integer", "float"],
];
const isAlike = (a: FieldType, b: FieldType): boolean =>
  a === b || families.some((family) => family.includes(a) && family.includes(b));

const keysOf = ({ flags, limits, hasDefault, own }: Takes): string[] => [
  ...flags,
  ...limits,
  ...(hasDefault ? ["default"] : []),
  ...own,
];
const valued = ["default", "min", "max"];

/** The field with another type, without what the new type does not take. Unknown keys stay. */
export function withType(definition: JsonObject, type: FieldType): JsonObject {
  const known = new Set(Object.values(takes).flatMap(keysOf));
  const kept = new Set(keysOf(takes[type]));
  const old = definition.type;
  const alike = isFieldType(old) && isAlike(old, type);
  const entries = Object.entries(definition).filter(
    ([key]) => !known.has(key) || (kept.has(key) && (alike || !valued.includes(key))),
  );
  return { ...Object.fromEntries(entries), type };
}
