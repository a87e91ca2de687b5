import { expect, it } from "vitest";
import type { UsageLine } from "@/api/types";
import { readShown } from "@/widgets/read";
import { chartOf } from "./chart-data";

const line = (day: string, inputTokens: number): UsageLine => ({
  day,
  userId: "s",
  user: "Sam",
  agent: "shop",
  model: "small",
  requests: 1,
  steps: 1,
  inputTokens,
  outputTokens: 1,
  cachedTokens: 0,
  reasoningTokens: 0,
});

it("is a chart that can be drawn, with the days on which nothing was used", () => {
  const shown = readShown(
    chartOf([line("2026-11-02", 5), line("2026-11-02", 6)], { from: "2026-11-01", to: "2026-11-03" }),
  );
  expect(shown.problem).toBeNull();
  expect(shown.title).toBe("Tokens by day");
  expect(shown.data.rows).toEqual([
    { day: "2026-11-01", input: 0, output: 0 },
    { day: "2026-11-02", input: 11, output: 2 },
    { day: "2026-11-03", input: 0, output: 0 },
  ]);
});

it("has months where there are many days", () => {
  const { data, title } = readShown(
    chartOf([line("2026-01-31", 5), line("2026-03-01", 6)], { from: "2026-01-15", to: "2026-05-15" }),
  );
  expect(title).toBe("Tokens by month");
  expect(data.rows.map(({ day, input }) => [day, input])).toEqual([
    ["2026-01-01", 5],
    ["2026-02-01", 0],
    ["2026-03-01", 6],
    ["2026-04-01", 0],
    ["2026-05-01", 0],
  ]);
});
