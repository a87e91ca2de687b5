import type { FieldError, Json, JsonObject, JsonSchema } from "@/api/types";
import { t } from "@/lib/t";
import { fieldOf, resolve } from "./schema";

export type Errors = Record<string, string>;

export const join = (pointer: string, key: string | number): string =>
  `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** What can be said before asking the server: required fields that are empty. */
export function missing(schema: JsonSchema, value: Json | undefined, root: JsonSchema, pointer = ""): Errors {
  const field = fieldOf(resolve(schema, root), root);
  if (field.kind === "list" && Array.isArray(value))
    return Object.assign(
      {},
      ...value.map((item, index) => missing(field.items, item, root, join(pointer, index))),
    );
  if (field.kind !== "object" || typeof value !== "object" || value === null || Array.isArray(value))
    return {};
  const errors: Errors = {};
  for (const [name, each] of field.properties) {
    const at = join(pointer, name);
    if (value[name] === undefined) {
      if (field.required.has(name)) errors[at] = t("form.required");
    } else Object.assign(errors, missing(each, value[name], root, at));
  }
  return errors;
}

/** The server's errors by pointer; it may or may not count from the request's `arguments`. */
export function fromProblem(errors: FieldError[] | undefined): Errors {
  return Object.fromEntries(
    (errors ?? []).map((each) => [
      each.pointer.replace(/^#/, "").replace(/^\/arguments(?=\/|$)/, ""),
      each.message,
    ]),
  );
}

/** Finds `/a/b: message` lines in an error text that was written for a model. */
export function fromText(text: string | null, args: JsonObject): Errors {
  const errors: Errors = {};
  for (const [, pointer, message] of (text ?? "").matchAll(
    /(?:^|[\s`"'(])((?:\/[\w~-]+)+)[`"')]?:?\s+([^\n;]+)/g,
  )) {
    const at = pointer?.replace(/^\/arguments(?=\/)/, "");
    const first = at?.split("/")[1];
    if (at && first && message && (first in args || text?.includes("required")))
      errors[at] ??= message.trim();
  }
  return errors;
}

/** Errors that no visible field shows, so that none is lost. */
export function unplaced(errors: Errors, schema: JsonSchema): string[] {
  const known = new Set(Object.keys(resolve(schema, schema).properties ?? {}));
  return Object.entries(errors)
    .filter(([pointer]) => !known.has(pointer.split("/")[1] ?? ""))
    .map(([pointer, message]) => (pointer ? `${pointer}: ${message}` : message));
}
