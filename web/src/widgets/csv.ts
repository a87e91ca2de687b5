import { cellText } from "@/api/json";
import type { Json } from "@/api/types";
import { csvText, defused } from "@/lib/csv";
import { decimalOf } from "./decimal";
import { type Column, cellOf, type Data, isNumeric } from "./spec";

/** All rows as they came, with exact numbers and no decoration, under the titles of their columns. */
export const csvOf = ({ columns, rows }: Data): string =>
  csvText([
    columns.map((column) => defused(column.title)),
    ...rows.map((row) => columns.map((column) => cell(cellOf(row, column.name), column))),
  ]);

/** A negative number is a number and not a formula. */
function cell(value: Json, column: Column): string {
  const text = cellText(value);
  return typeof value === "number" || (isNumeric(column.type) && decimalOf(value)) ? text : defused(text);
}
