import { expect, it } from "vitest";
import type { Chain, Verification } from "@/api/types";
import { chainText, verifiedText } from "./chain-text";

const now = Date.parse("2026-11-30T10:00:00Z");
const chain: Chain = {
  sealedTo: 12_345,
  unsealed: 3,
  segments: 87,
  sealedAt: "2026-11-30T09:59:58Z",
  head: "12345:ab12",
  prunedTo: null,
};
const found: Verification = {
  ok: true,
  entries: 12_345,
  segments: 87,
  sealedTo: 12_345,
  unsealed: 3,
  erased: 0,
  tookMs: 210,
  problems: [],
};

it("says how far the chain goes", () => {
  expect(chainText(chain, now)).toBe("Sealed to entry 12,345 · 3 not sealed yet · last sealed 2 seconds ago");
  expect(chainText({ ...chain, unsealed: 0, prunedTo: 1_000 }, now)).toBe(
    "Sealed to entry 12,345 · last sealed 2 seconds ago · entries to 1,000 are pruned",
  );
});

it("says that nothing is sealed yet, and takes no server to be in the future", () => {
  const empty = { ...chain, sealedTo: 0, unsealed: 1, sealedAt: null, head: null };
  expect(chainText(empty, now)).toBe("Nothing is sealed yet · 1 not sealed yet");
  expect(chainText({ ...chain, unsealed: 0, sealedAt: "2026-11-30T10:00:05Z" }, now)).toBe(
    "Sealed to entry 12,345 · last sealed now",
  );
});

it("says what a check found", () => {
  expect(verifiedText(found)).toBe("The chain is whole: 12,345 entries in 87 segments (210 ms)");
  expect(verifiedText({ ...found, entries: 1, segments: 1, tookMs: 640 })).toBe(
    "The chain is whole: 1 entry in 1 segment (0.6 s)",
  );
  const problem = { seq: 7, callId: null, message: "changed" };
  expect(verifiedText({ ...found, ok: false, problems: [problem, problem] })).toBe(
    "The chain has 2 problems:",
  );
});
