/** What the server puts in place of a value that the reader of an approval may not read. */
export const WITHHELD = "[withheld]";

/** What the server puts in place of a value of a sensitive field. */
export const RESTRICTED = "[restricted]";

type Mark = typeof WITHHELD | typeof RESTRICTED;

/** Whether a mark stands in place of the value or of one in it; a text that has the word in it is none. */
export function holds(value: unknown, mark: Mark): boolean {
  if (typeof value !== "object" || value === null) return value === mark;
  return Object.values(value).some((each) => holds(each, mark));
}
