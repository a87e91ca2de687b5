import { cellText } from "@/api/json";
import type { Json, JsonObject } from "@/api/types";
import { locale } from "@/lib/t";
import { compare, decimalOf } from "./decimal";
import { type Column, cellOf, columnOf, type Data, isNumeric, type Sort } from "./spec";

const words = new Intl.Collator(locale, { numeric: true, sensitivity: "base" });

/** Compares two cells that are there. Numbers as numbers, to the last digit; times by when they are. */
export function compareValues(a: Json, b: Json, column: Column): number {
  const [left, right] = isNumeric(column.type) ? [decimalOf(a), decimalOf(b)] : [null, null];
  if (left && right) return compare(left, right);
  if (left || right) return left ? -1 : 1;
  if (column.type === "datetime") {
    const apart = Date.parse(String(a)) - Date.parse(String(b));
    if (!Number.isNaN(apart)) return apart;
  }
  return words.compare(cellText(a), cellText(b));
}

/** The rows in order. Rows with nothing in the column come last, whichever way one sorts. */
export function sorted(data: Data, sort: Sort | null): JsonObject[] {
  if (!sort) return data.rows;
  const column = columnOf(data, sort.column);
  const way = sort.descending ? -1 : 1;
  return data.rows
    .map((row) => ({ row, value: cellOf(row, sort.column) }))
    .sort((a, b) => {
      if (isNothing(a.value) || isNothing(b.value))
        return Number(isNothing(a.value)) - Number(isNothing(b.value));
      return way * compareValues(a.value, b.value, column);
    })
    .map(({ row }) => row);
}

export const isNothing = (value: Json): boolean => value === null || value === "";
