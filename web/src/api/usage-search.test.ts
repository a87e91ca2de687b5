import { expect, it } from "vitest";
import { readUsageSearch } from "./usage-search";

const read = (search: object) => readUsageSearch(search as Parameters<typeof readUsageSearch>[0]);

it("is by day over the last 30 days where an address says nothing else", () => {
  expect(read({})).toEqual({});
  expect(read({ range: "days30", by: "day", userId: "", from: "2026-01-01" })).toEqual({});
  expect(read({ range: "century", by: "moon" })).toEqual({});
});

it("reads what it knows, and days only where days are asked for", () => {
  const search = { range: "dates", from: "2026-01-01", to: "2026-01-31", by: "model", userId: "u" };
  expect(read({ ...search, page: 2 })).toEqual(search);
  expect(read({ ...search, range: "month" })).toEqual({ range: "month", by: "model", userId: "u" });
  expect(read({ range: "dates", from: 7, to: null })).toEqual({ range: "dates" });
});
