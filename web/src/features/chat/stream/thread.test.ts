import { expect, it } from "vitest";
import { emptyThread, isEndTold, type Thread } from "./thread";

it("an end is told where the newest answer has a notice of it", () => {
  const why = "The tokens of this month are used up.";
  const notice = { type: "notice" as const, id: "n", kind: "model_error" as const, text: why };
  const answer = { id: "a", role: "assistant" as const, parts: [notice] };
  const thread: Thread = { ...emptyThread, messages: [answer], end: { state: "failed", error: why } };
  expect(isEndTold(thread)).toBe(true);
  expect(isEndTold({ ...thread, end: { state: "failed", error: "The model can't be reached." } })).toBe(
    false,
  );
  const next = { id: "q", role: "user" as const, parts: [] };
  expect(isEndTold({ ...thread, messages: [answer, next] })).toBe(false);
  expect(isEndTold(emptyThread)).toBe(false);
});
