import { expect, it } from "vitest";
import type { UsageLine, UsagePolicy } from "@/api/types";
import { outdoneText } from "./limit-text";
import { monthUse, outdone } from "./month-use";

const policy = (change: Partial<UsagePolicy>): UsagePolicy => ({
  id: "p",
  subjectKind: "org",
  subject: "",
  monthlyTokens: 100,
  requestsPerMinute: null,
  version: 1,
  ...change,
});
const line = (userId: string, user: string, inputTokens: number): UsageLine => ({
  day: "2026-11-30",
  userId,
  user,
  agent: "shop",
  model: "small",
  requests: 1,
  steps: 1,
  inputTokens,
  outputTokens: 1,
  cachedTokens: 0,
  reasoningTokens: 0,
});
const lines = [line("s", "Sam", 10), line("m", "Mona", 15), line("s", "Sam", 20)];

it("tells what a person used, and who used the most", () => {
  expect(monthUse(policy({ subjectKind: "user", subject: "m" }), lines)).toEqual({ tokens: 16, who: null });
  expect(monthUse(policy({ subjectKind: "user", subject: "x" }), lines)).toEqual({ tokens: 0, who: null });
  expect(monthUse(policy({}), lines)).toEqual({ tokens: 32, who: "Sam" });
  expect(monthUse(policy({}), [])).toEqual({ tokens: 0, who: null });
  expect(monthUse(policy({ subjectKind: "role", subject: "sales" }), lines)).toBeNull();
});

it("a limit below that of everybody does nothing", () => {
  const all = policy({ requestsPerMinute: 5 });
  const text = (change: Partial<UsagePolicy>) => {
    const one = policy({ id: "q", subjectKind: "role", subject: "sales", ...change });
    return outdoneText(outdone(one, [all, one]));
  };
  expect(text({ monthlyTokens: 99 })).toBe("Everybody has more tokens: this limit does nothing.");
  expect(text({ monthlyTokens: 500, requestsPerMinute: 4 })).toMatch(/^Everybody has more messages/);
  expect(text({ monthlyTokens: 1, requestsPerMinute: 1 })).toMatch(/^Everybody has more of both/);
  expect(text({ monthlyTokens: 100, requestsPerMinute: 5 })).toBe("");
  expect(text({ monthlyTokens: null, requestsPerMinute: 50 })).toBe("");
  expect(outdoneText(outdone(all, [all]))).toBe("");
});
