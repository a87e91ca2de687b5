import { expect, it } from "vitest";
import type { AuditStory } from "@/api/types";
import { reasonOf } from "../reason";
import { factsOf } from "./facts";
import { hasMasked } from "./masked";

const story: AuditStory = {
  id: "c1",
  tool: "refund",
  toolVersion: 4,
  title: "Refund order",
  titleDone: null,
  level: "destructive",
  status: "refused",
  waitingFor: null,
  arguments: { order: "SO-1" },
  output: null,
  error: "No such order:\n  SO-1",
  shown: false,
  startedAt: "2026-11-30T10:00:00Z",
  endedAt: null,
  durationMs: null,
  asker: { id: "u1", name: "Ada" },
  agent: null,
  conversationId: null,
  via: "api",
  trial: null,
  approval: null,
  events: [],
  withheld: [],
  erased: false,
  grantId: null,
  credential: "token",
};
const ada = { id: "u1", name: "Ada", email: "ada@shop.test" };
const factOf = (given: AuditStory, label: string) =>
  factsOf(given, [ada]).find((fact) => fact.label === label)?.value;

it("says why a call was not done, in one line, and nothing of one that was or still may be", () => {
  expect(reasonOf(story)).toBe("No such order: SO-1");
  expect(reasonOf({ ...story, status: "succeeded" })).toBe("");
  expect(reasonOf({ ...story, status: "waiting" })).toBe("");
  expect(reasonOf({ ...story, error: null })).toBe("");
});

it("says who asked, on whose behalf and how", () => {
  expect(factOf(story, "Asked by")).toBe("Ada (ada@shop.test)");
  expect(factOf(story, "Signed in with")).toBe("An API token");
  expect(factOf(story, "Tool")).toBe("refund, version 4");
  const through: AuditStory = { ...story, agent: "shop", via: "chat", credential: null };
  expect(factOf(through, "Asked by")).toBe("Agent shop");
  expect(factOf(through, "On behalf of")).toBe("Ada (ada@shop.test)");
  expect(factOf(through, "Signed in with")).toBeUndefined();
});

it("leaves out what there is none of: the version and level of no tool", () => {
  const unnamed: AuditStory = { ...story, toolVersion: null, level: null };
  expect(factOf(unnamed, "Tool")).toBe("refund");
  expect(factOf(unnamed, "Level")).toBeUndefined();
});

it("sees that values are masked, wherever they are", () => {
  expect(hasMasked(story)).toBe(false);
  expect(hasMasked({ ...story, output: { rows: [{ email: "[restricted]" }] } })).toBe(true);
  expect(hasMasked({ ...story, arguments: { email: "[restricted]" } })).toBe(true);
  expect(hasMasked({ ...story, error: "[restricted]" })).toBe(true);
  expect(hasMasked({ ...story, error: "No order is named [restricted]" })).toBe(false);
});
