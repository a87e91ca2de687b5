import { expect, it } from "vitest";
import type { UsageLine } from "@/api/types";
import { groupsOf, sumOf, tokensOf } from "./group";

const line = (change: Partial<UsageLine>): UsageLine => ({
  day: "2026-11-30",
  userId: "s",
  user: "Sam Sales",
  agent: "shop",
  model: "small",
  requests: 1,
  steps: 2,
  inputTokens: 100,
  outputTokens: 10,
  cachedTokens: 40,
  reasoningTokens: 4,
  ...change,
});
const lines = [
  line({ day: "2026-11-29" }),
  line({ agent: "support", inputTokens: 1000 }),
  line({ userId: "m", user: "Mona Manager", model: "large", outputTokens: 50 }),
];

it("puts lines together by what is asked for, and adds them up", () => {
  expect(
    groupsOf(lines, "user").map(({ name, ...each }) => [name, each.key, each.requests, tokensOf(each)]),
  ).toEqual([
    ["Sam Sales", "s", 2, 1120],
    ["Mona Manager", "m", 1, 150],
  ]);
  expect(groupsOf(lines, "agent").map(({ key, steps }) => [key, steps])).toEqual([
    ["support", 2],
    ["shop", 4],
  ]);
  expect(groupsOf(lines, "model").map(({ key }) => key)).toEqual(["small", "large"]);
});

it("the newest day is first", () => {
  expect(groupsOf(lines, "day").map(({ key, requests }) => [key, requests])).toEqual([
    ["2026-11-30", 2],
    ["2026-11-29", 1],
  ]);
});

it("adds up everything, and nothing", () => {
  const sum = sumOf(lines);
  expect([sum.requests, sum.steps, sum.inputTokens, sum.outputTokens]).toEqual([3, 6, 1200, 70]);
  expect([sum.cachedTokens, sum.reasoningTokens]).toEqual([120, 12]);
  expect(tokensOf(sumOf([]))).toBe(0);
});
