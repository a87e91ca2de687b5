import { expect, it } from "vitest";
import { daysOf, everyDay, everyMonth, today } from "./range";

it("a day is that of UTC", () => {
  expect(today(Date.parse("2026-03-01T00:30:00+02:00"))).toBe("2026-02-28");
});

it("the ranges end where they are meant to", () => {
  expect(daysOf({}, "2026-03-01")).toEqual({ from: "2026-01-31", to: "2026-03-01" });
  expect(everyDay(daysOf({}, "2026-03-01"))).toHaveLength(30);
  expect(daysOf({ range: "month" }, "2026-03-17")).toEqual({ from: "2026-03-01", to: "2026-03-17" });
  expect(daysOf({ range: "lastMonth" }, "2026-03-31")).toEqual({ from: "2026-02-01", to: "2026-02-28" });
  expect(daysOf({ range: "lastMonth" }, "2026-01-01")).toEqual({ from: "2025-12-01", to: "2025-12-31" });
});

it("other days are as they are typed, and as usual while they are not", () => {
  const days = (from?: string, to?: string) =>
    daysOf({ range: "dates", ...(from ? { from } : {}), ...(to ? { to } : {}) }, "2026-03-31");
  expect(days("2026-01-05", "2026-01-07")).toEqual({ from: "2026-01-05", to: "2026-01-07" });
  expect(days("2026-03-05")).toEqual({ from: "2026-03-05", to: "2026-03-31" });
  expect(days(undefined, "2026-01-30")).toEqual({ from: "2026-01-01", to: "2026-01-30" });
  expect(days("0002-01-05", "2026-13-45")).toEqual({ from: "2026-03-02", to: "2026-03-31" });
});

it("all days and months of a range are there, and none of one that is the wrong way round", () => {
  expect(everyDay({ from: "2024-02-28", to: "2024-03-01" })).toEqual([
    "2024-02-28",
    "2024-02-29",
    "2024-03-01",
  ]);
  expect(everyMonth({ from: "2025-12-31", to: "2026-02-01" })).toEqual([
    "2025-12-01",
    "2026-01-01",
    "2026-02-01",
  ]);
  expect(everyDay({ from: "2026-01-02", to: "2026-01-01" })).toEqual([]);
});
