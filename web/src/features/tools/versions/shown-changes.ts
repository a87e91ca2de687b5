import type { Json, VersionChange } from "@/api/types";

/** What was not said of a switch or a list is the same as off, or as none. */
function said(value: Json, other: Json): Json {
  if (value !== null) return value;
  if (typeof other === "boolean") return false;
  return Array.isArray(other) ? [] : value;
}

/** The changes of a version as they are shown: without those that change nothing. */
export function shownChanges(changes: VersionChange[]): VersionChange[] {
  return changes
    .map(({ path, before, after }) => ({ path, before: said(before, after), after: said(after, before) }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
}
