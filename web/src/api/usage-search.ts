import type { SearchSchemaInput } from "@tanstack/react-router";

export const usageRanges = ["days30", "month", "lastMonth", "dates"] as const;
export type UsageRange = (typeof usageRanges)[number];

export const usageGroups = ["day", "user", "agent", "model"] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** What the address of the usage says: by day over the last 30 days where it says nothing else. */
export type UsageSearch = {
  range?: Exclude<UsageRange, "days30">;
  /** Days, for `dates` alone. */
  from?: string;
  to?: string;
  by?: Exclude<UsageGroup, "day">;
  userId?: string;
};

type Search = { [Key in keyof UsageSearch]?: unknown };

export function readUsageSearch(search: Search & SearchSchemaInput): UsageSearch {
  const range = (["month", "lastMonth", "dates"] as const).find((each) => each === search.range);
  const by = (["user", "agent", "model"] as const).find((each) => each === search.by);
  const dates = range === "dates" ? { ...said("from", search.from), ...said("to", search.to) } : {};
  return { ...(range ? { range } : {}), ...dates, ...(by ? { by } : {}), ...said("userId", search.userId) };
}

const said = <Key extends string>(key: Key, value: unknown): { [Each in Key]?: string } =>
  typeof value === "string" && value ? ({ [key]: value } as { [Each in Key]: string }) : {};
