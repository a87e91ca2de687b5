import { cellText } from "@/api/json";
import type { JsonObject } from "@/api/types";
import { csvText, defused } from "@/lib/csv";

/** A table as CSV. Cells that a spreadsheet would take for a formula are defused with a quote. */
export const csvOf = (rows: JsonObject[], columns: string[]): string =>
  csvText([columns, ...rows.map((row) => columns.map((column) => cell(row[column])))]);

function cell(value: JsonObject[string] | undefined): string {
  const text = cellText(value);
  return typeof value === "string" ? defused(text) : text;
}
