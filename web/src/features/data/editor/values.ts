import type { Json } from "@/api/types";
import type { FieldType } from "./field-types";

/** A value of a definition, as it stands in a text field. */
export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

const WHOLE = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * What a text means for a field of the type. A text that is no number where one is needed stays a
 * text: the server says so with its place.
 */
export function valueFrom(type: FieldType, text: string): Json | undefined {
  const typed = text.trim();
  if (typed === "") return undefined;
  switch (type) {
    case "integer":
    case "many_to_one":
      return WHOLE.test(typed) && Number.isSafeInteger(Number(typed)) ? Number(typed) : typed;
    case "float":
      return NUMBER.test(typed) ? Number(typed) : typed;
    case "string":
    case "text":
      return text;
    default:
      return typed;
  }
}

export type Option = { value: string; title: string };

/** The options of a selection; the title is empty where the value has to do. */
export function optionsOf(value: Json | undefined): Option[] {
  if (!Array.isArray(value)) return [];
  return value.map((each) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? { value: textOf(each.value), title: textOf(each.title) }
      : { value: textOf(each), title: "" },
  );
}

export const fromOptions = (options: Option[]): Json =>
  options.map(({ value, title }) => (title === "" ? value : { value, title }));

export const textsOf = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
