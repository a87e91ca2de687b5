import { isObject } from "@/api/json";
import type { Json, VersionChange } from "@/api/types";
import { moments, pathOf } from "../events/switches";

/** What was not said of a switch or a list is the same as off, or as none. */
function said(value: Json, other: Json): Json {
  if (value !== null) return value;
  if (typeof other === "boolean") return false;
  return Array.isArray(other) ? [] : value;
}

/** The events change as a whole; each of the two is shown by itself. */
function parted(change: VersionChange): VersionChange[] {
  if (change.path !== "settings.events") return [change];
  const { before, after } = change;
  return moments.map((moment) => {
    const at = (events: Json): Json => (isObject(events) ? (events[moment] ?? "off") : "off");
    return { path: pathOf(moment), before: at(before), after: at(after) };
  });
}

/** The changes of a version as they are shown: without those that change nothing. */
export function shownChanges(changes: VersionChange[]): VersionChange[] {
  return changes
    .flatMap(parted)
    .map(({ path, before, after }) => ({ path, before: said(before, after), after: said(after, before) }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
}
