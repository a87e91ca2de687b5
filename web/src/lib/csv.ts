/** Lines of cells as CSV. */
export const csvText = (lines: string[][]): string =>
  lines.map((line) => line.map(quoted).join(",")).join("\r\n");

/** A text that a spreadsheet would take for a formula, with a quote before it that makes it a text. */
export const defused = (text: string): string => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text);

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
