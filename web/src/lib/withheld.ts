/** What the server puts in place of a value that the reader may not read. */
export const WITHHELD = "[withheld]";

/** Whether anything in there is withheld from its reader. */
export const hasWithheld = (value: unknown): boolean => JSON.stringify(value ?? null).includes(WITHHELD);
