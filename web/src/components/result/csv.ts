import type { JsonObject } from "@/api/types";
import { cellText } from "./shape";

/** A table as CSV. Cells that a spreadsheet would take for a formula are defused with a quote. */
export function csvOf(rows: JsonObject[], columns: string[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => cell(row[column])))];
  return lines.map((line) => line.map(quoted).join(",")).join("\r\n");
}

function cell(value: JsonObject[string] | undefined): string {
  const text = cellText(value);
  return typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
