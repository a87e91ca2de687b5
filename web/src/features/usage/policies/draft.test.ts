import { expect, it } from "vitest";
import type { UsagePolicy } from "@/api/types";
import { draftOf, emptyDraft, isFit, isSame, limitsOf, subjectOf, unfitLimits, unfitOf } from "./draft";

const policy: UsagePolicy = {
  id: "p",
  subjectKind: "role",
  subject: "sales",
  monthlyTokens: 2_000_000,
  requestsPerMinute: null,
  version: 1,
};

it("what is not changed is sent as it was", () => {
  const draft = draftOf(policy);
  expect(draft).toEqual({ tokens: "2,000,000", messages: "" });
  expect(isFit(unfitLimits(draft))).toBe(true);
  expect(limitsOf(draft)).toEqual({ monthlyTokens: 2_000_000, requestsPerMinute: null });
});

it("reads a number with and without marks between the thousands, and nothing else", () => {
  const tokens = (typed: string) => limitsOf({ tokens: typed, messages: "" }).monthlyTokens;
  for (const typed of [
    "2000000",
    "2,000,000",
    "2.000.000",
    " 2 000 000 ",
    "2’000’000",
    "2\u202f000\u202f000",
  ])
    expect(tokens(typed), typed).toBe(2_000_000);
  expect(tokens("0")).toBe(0);
  for (const typed of ["1,5", "1.50", "-1", "many", "1e6", "2,0000", "99999999999999999999"])
    expect(unfitLimits({ tokens: typed, messages: "1" }).tokens, typed).not.toBeNull();
});

it("a limit that is written another way is the same", () => {
  const draft = draftOf(policy);
  expect(isSame(draft, { ...draft, tokens: "2000000" })).toBe(true);
  expect(isSame(draft, { ...draft, tokens: "" })).toBe(false);
  expect(isSame(draft, { ...draft, messages: "0" })).toBe(false);
  expect(isSame({ ...draft, tokens: "x" }, { ...draft, tokens: "y" })).toBe(false);
});

it("an empty one needs a limit, and no more", () => {
  expect(unfitOf(emptyDraft, [])).toEqual({
    kind: null,
    role: null,
    userId: null,
    tokens: "Say at least one of the two limits.",
    messages: null,
  });
  expect(isFit(unfitOf({ ...emptyDraft, messages: "20" }, []))).toBe(true);
});

it("names a role or a person, of whom no policy speaks yet", () => {
  const draft = { ...emptyDraft, tokens: "1" };
  const org: UsagePolicy = { ...policy, subjectKind: "org", subject: "" };
  const user: UsagePolicy = { ...policy, subjectKind: "user", subject: "u" };
  const unfit = (change: object) => unfitOf({ ...draft, ...change }, [policy, org, user]);
  expect(unfit({}).kind).toMatch(/everybody already/);
  expect(unfit({ kind: "role", role: " sales " }).role).toMatch(/this role already/);
  expect(unfit({ kind: "role", role: " " }).role).toBe("Name a role.");
  expect(unfit({ kind: "role", role: "r".repeat(101) }).role).not.toBeNull();
  expect(isFit(unfit({ kind: "role", role: "managers" }))).toBe(true);
  expect(unfit({ kind: "user" }).userId).toBe("Choose somebody.");
  expect(unfit({ kind: "user", userId: "u" }).userId).toMatch(/this person already/);
  expect(isFit(unfit({ kind: "user", userId: "v" }))).toBe(true);
});

it("what was typed for another kind is not sent", () => {
  const draft = { ...emptyDraft, role: " sales ", userId: "u" };
  expect(subjectOf(draft)).toEqual({ subjectKind: "org", subject: "" });
  expect(subjectOf({ ...draft, kind: "role" })).toEqual({ subjectKind: "role", subject: "sales" });
  expect(subjectOf({ ...draft, kind: "user" })).toEqual({ subjectKind: "user", subject: "u" });
});
