import { describe, expect, it } from "vitest";
import type { Approval, CallLine } from "@/api/types";
import type { Chunk } from "./chunks";
import { parseFrame } from "./chunks";
import { reduce } from "./reduce";
import { emptyThread, type Thread, type ToolPart, threadOf } from "./thread";

const line = (status: CallLine["status"], extra: Partial<CallLine> = {}): CallLine => ({
  id: "c1",
  tool: "update_record",
  title: "Update order SO-10482",
  status,
  durationMs: null,
  shown: false,
  approvalId: null,
  error: null,
  ...extra,
});

const approval = (status: Approval["status"]): Approval => ({
  id: "a1",
  callId: "c1",
  tool: "update_record",
  status,
  argumentsHash: "h",
  createdAt: "2026-11-30T10:00:00Z",
  expiresAt: "2026-12-01T10:00:00Z",
  decidedAt: null,
  decider: null,
  reason: null,
  mayDecide: true,
  mayEdit: false,
  mayGrant: false,
  approverRoles: [],
  argumentsBefore: null,
  asker: { id: "u", name: "Ada" },
  conversation: null,
  agent: "shop",
  card: {
    title: "Update order SO-10482",
    verb: "Update order",
    level: "write",
    irreversible: false,
    summary: null,
    fields: [],
    records: [],
    recordCount: 1,
    changes: [],
    arguments: {},
  },
});

const untilWaiting: Chunk[] = [
  { type: "start", messageId: "m1", messageMetadata: { runId: "r1" } },
  { type: "start-step" },
  { type: "reasoning-start", id: "0" },
  { type: "reasoning-delta", id: "0", delta: "Let me see." },
  { type: "reasoning-end", id: "0" },
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "I will " },
  { type: "text-delta", id: "0", delta: "update it." },
  { type: "text-end", id: "0" },
  { type: "tool-input-start", toolCallId: "c1", toolName: "update_record", title: "Update order" },
  { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: '{"id":' },
  { type: "tool-input-available", toolCallId: "c1", toolName: "update_record", input: { id: "SO-10482" } },
  { type: "data-call", id: "c1", data: line("waiting", { approvalId: "a1" }) },
  { type: "tool-approval-request", approvalId: "a1", toolCallId: "c1" },
  { type: "data-approval", id: "a1", data: approval("pending") },
  { type: "finish-step" },
];
const afterDecision: Chunk[] = [
  { type: "data-approval", id: "a1", data: approval("approved") },
  { type: "start-step" },
  { type: "data-call", id: "c1", data: line("succeeded", { durationMs: 12 }) },
  { type: "tool-output-available", toolCallId: "c1", output: { ok: true } },
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "Done." },
  { type: "text-end", id: "0" },
  { type: "data-notice", id: "n1", data: { kind: "step_limit", text: "That was the last step." } },
  { type: "data-title", data: { title: "Ship SO-10482" } },
  { type: "finish-step" },
  { type: "finish", messageMetadata: { state: "done" } },
];
const whole = [...untilWaiting, ...afterDecision];
const waiting: Chunk[] = [...untilWaiting, { type: "finish", messageMetadata: { state: "waiting" } }];

const play = (chunks: Chunk[], from: Thread = emptyThread) => chunks.reduce(reduce, from);
const parts = (thread: Thread) => thread.messages.at(-1)?.parts ?? [];
const texts = (thread: Thread) => parts(thread).flatMap((part) => (part.type === "text" ? [part.text] : []));
const tool = (thread: Thread) => parts(thread).find((part): part is ToolPart => part.type === "tool");

describe("reduce", () => {
  it("makes an answer of a stream", () => {
    const thread = play(whole);
    expect(texts(thread)).toEqual(["I will update it.", "Done."]);
    expect(tool(thread)).toMatchObject({
      state: "output-available",
      input: { id: "SO-10482" },
      output: { ok: true },
    });
    expect(tool(thread)?.line?.status).toBe("succeeded");
    expect(thread.approvals.a1?.status).toBe("approved");
    expect(thread.title).toBe("Ship SO-10482");
    expect(thread.end).toEqual({ state: "done", error: null });
    expect(parts(thread).at(-1)).toMatchObject({ type: "notice", kind: "step_limit" });
  });

  it("forgets what was told of an answer that is asked for again, also in a replay", () => {
    const again: Chunk[] = [
      { type: "start", messageId: "r1" },
      { type: "start-step" },
      { type: "text-start", id: "a" },
      { type: "text-delta", id: "a", delta: "I thi" },
      { type: "text-end", id: "a" },
      { type: "data-restart" },
      { type: "text-start", id: "a-1" },
      { type: "text-delta", id: "a-1", delta: "I think so." },
      { type: "text-end", id: "a-1" },
      { type: "start-step" },
      { type: "text-start", id: "b" },
      { type: "text-delta", id: "b", delta: "Done." },
      { type: "text-end", id: "b" },
    ];
    const once = play(again);
    expect(texts(once)).toEqual(["I think so.", "Done."]);
    expect(texts(play(again.slice(0, 9)))).toEqual(["I think so."]);
    expect(texts(play(again.slice(0, 9), play(again.slice(0, 9))))).toEqual(["I think so."]);
  });

  it("forgets it also where the new answer comes under the same id, as the server tells it", () => {
    const part = (delta: string): Chunk[] => [
      { type: "text-start", id: "a" },
      { type: "text-delta", id: "a", delta },
      { type: "text-end", id: "a" },
    ];
    const first: Chunk[] = [{ type: "start", messageId: "r1" }, { type: "start-step" }];
    const live: Chunk[] = [...first, ...part("Wrong"), { type: "data-restart" }, ...part("I think so.")];
    const later: Chunk[] = [
      { type: "start-step" },
      { type: "text-start", id: "b" },
      { type: "text-delta", id: "b", delta: "Done." },
      { type: "text-end", id: "b" },
    ];
    const fromRows: Chunk[] = [...first, ...part("I think so.")];
    const heard = play(live);
    expect(texts(heard)).toEqual(["I think so."]);
    expect(texts(play(live, heard))).toEqual(["I think so."]);
    expect(texts(play(fromRows, heard))).toEqual(["I think so."]);
    const whole = play(later, heard);
    expect(texts(play([...live, ...later], whole))).toEqual(["I think so.", "Done."]);
    expect(texts(play([...fromRows, ...later], whole))).toEqual(["I think so.", "Done."]);
  });

  it("is the same after a replay of the whole run, twice", () => {
    const once = play(whole);
    expect(play(whole, once)).toEqual(once);
    expect(play(whole, play(whole, once))).toEqual(once);
  });

  it("is the same when the stream was cut anywhere and replayed", () => {
    const once = play(whole);
    for (let cut = 0; cut <= whole.length; cut += 1)
      expect(play(whole, play(whole.slice(0, cut)))).toEqual(once);
  });

  it("goes on from a run that waited", () => {
    expect(play(whole, play(waiting))).toEqual(play(whole));
    expect(play(waiting).end).toEqual({ state: "waiting", error: null });
  });

  it("never shows less text than before while a replay catches up", () => {
    let thread = play(whole);
    for (const chunk of whole) {
      thread = reduce(thread, chunk);
      expect(texts(thread)).toEqual(["I will update it.", "Done."]);
    }
  });

  it("never takes back a decision, a result or the end of a call", () => {
    let thread = play(whole);
    for (const chunk of whole) {
      thread = reduce(thread, chunk);
      expect(thread.approvals.a1?.status).toBe("approved");
      expect(tool(thread)?.state).toBe("output-available");
      expect(tool(thread)?.line?.status).toBe("succeeded");
    }
  });

  it("recognises the parts of a stored conversation when it is replayed over them", () => {
    const stored = threadOf({
      id: "x",
      title: "Ship SO-10482",
      agent: "shop",
      state: "running",
      approvals: [approval("approved")],
      messages: [
        {
          id: "m1",
          role: "assistant",
          parts: [
            { type: "step-start" },
            { type: "reasoning", text: "Let me see." },
            { type: "text", text: "I will update it." },
            {
              type: "dynamic-tool",
              toolCallId: "c1",
              toolName: "update_record",
              title: "Update order",
              state: "approval-requested",
              input: { id: "SO-10482" },
            },
            { type: "data-call", id: "c1", data: line("waiting", { approvalId: "a1" }) },
            { type: "data-approval", id: "a1", data: approval("pending") },
          ],
        },
      ],
    });
    expect(stored.approvals.a1?.status).toBe("approved");
    expect(play(whole, stored)).toEqual(play(whole));
  });

  it("corrects a part whose replay says something else", () => {
    const other = play([
      { type: "start", messageId: "m1" },
      { type: "start-step" },
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "I shall not, and that is a long text." },
    ]);
    expect(texts(play(whole, other))).toEqual(["I will update it.", "Done."]);
  });

  it("keeps part ids apart that are counted from zero again in each step", () => {
    expect(texts(play(whole))).toHaveLength(2);
  });

  it("ignores chunk types it does not know, and deltas without a start", () => {
    const unknown = { type: "data-hologram", id: "x", data: {} } as unknown as Chunk;
    const before = play(whole.slice(0, 5));
    expect(reduce(before, unknown)).toBe(before);
    expect(reduce(before, { type: "text-delta", id: "zz", delta: "lost" })).toBe(before);
    expect(reduce(emptyThread, { type: "text-start", id: "0" })).toBe(emptyThread);
  });

  it("ends in an error or an abort, and no part goes on streaming", () => {
    const cut = whole.slice(0, 7);
    const failed = play([...cut, { type: "error", errorText: "The language model did not answer." }]);
    expect(failed.end).toEqual({ state: "failed", error: "The language model did not answer." });
    const stopped = play([...cut, { type: "abort" }]);
    expect(stopped.end?.state).toBe("aborted");
    for (const thread of [failed, stopped])
      expect(parts(thread).some((part) => part.type === "text" && part.streaming)).toBe(false);
  });

  it("shows refused input, a failed call and a denied one as such", () => {
    const start: Chunk[] = [{ type: "start", messageId: "m" }, { type: "start-step" }];
    const invalid = play([
      ...start,
      { type: "tool-input-error", toolCallId: "c1", toolName: "x", errorText: "/id: required" },
    ]);
    expect(tool(invalid)).toMatchObject({ state: "output-error", error: "/id: required" });
    const failed = play([...start, { type: "tool-output-error", toolCallId: "c1", errorText: "404" }]);
    expect(tool(failed)).toMatchObject({ state: "output-error", error: "404" });
    expect(tool(play([...start, { type: "tool-output-denied", toolCallId: "c1" }]))?.state).toBe(
      "output-denied",
    );
  });
});

describe("parseFrame", () => {
  it("reads chunks and leaves the rest", () => {
    expect(parseFrame('{"type":"abort"}')).toEqual({ type: "abort" });
    for (const frame of ["[DONE]", "{", "null", "3", '{"kind":"x"}']) expect(parseFrame(frame)).toBeNull();
  });
});
