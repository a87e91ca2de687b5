import { expect, it } from "vitest";
import type { Allowance } from "@/api/types";
import { allowanceText, isUsedUp } from "./allowance-text";

const allowance: Allowance = {
  monthlyTokens: 2_000_000,
  usedTokens: 12_345,
  renewsAt: "2027-01-01T00:00:00Z",
  requestsPerMinute: null,
};

it("says what is left, and when there is more", () => {
  expect(allowanceText(allowance)).toBe(
    "You have used 12,345 of 2,000,000 tokens this month; they renew on Jan 1, 2027 (UTC).",
  );
  expect(allowanceText({ ...allowance, monthlyTokens: 12_345 })).toMatch(
    /^Your tokens of this month are used up/,
  );
  expect(isUsedUp({ ...allowance, monthlyTokens: 12_346 })).toBe(false);
  expect(isUsedUp({ ...allowance, usedTokens: 0, monthlyTokens: 0 })).toBe(true);
});

it("says which limits there are, or that there is none", () => {
  const free = { ...allowance, monthlyTokens: null };
  expect(allowanceText(free)).toBe("You have used 12,345 tokens this month. There is no limit.");
  expect(allowanceText({ ...free, requestsPerMinute: 20 })).toBe(
    "You have used 12,345 tokens this month. 20 messages a minute at most.",
  );
  expect(allowanceText({ ...free, requestsPerMinute: 1 })).toMatch(/ 1 message a minute at most\.$/);
});
