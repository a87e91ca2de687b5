/**
 * The reducer from stream chunks to what the screen shows.
 *
 * It is our own, and not `useChat`, because a run is replayed from its start whenever this tab
 * joins it again: after a reload, after a cut connection, after every decision on an approval.
 * `useChat` appends what it reads, so a replay would have to throw the answer away first and the
 * reader would see it vanish and grow again. Here each part is keyed (prose by step and part id,
 * calls by toolCallId, data by id), prose is compared with what is already there, and states only
 * move forward. Applying a replay to its own result therefore changes nothing.
 */
import type { Approval, ApprovalStatus, CallLine, CallStatus, ToolPartState } from "@/api/types";
import type { Chunk } from "./chunks";
import { type Message, newTool, type Part, type ProsePart, type Thread, type ToolPart } from "./thread";

export function reduce(thread: Thread, chunk: Chunk): Thread {
  switch (chunk.type) {
    case "start":
      return start(thread, chunk.messageId);
    case "start-step":
      return startStep(thread);
    case "text-start":
      return startProse(thread, "text", chunk.id);
    case "reasoning-start":
      return startProse(thread, "reasoning", chunk.id);
    case "text-delta":
      return extendProse(thread, "text", chunk.id, chunk.delta);
    case "reasoning-delta":
      return extendProse(thread, "reasoning", chunk.id, chunk.delta);
    case "text-end":
      return endProse(thread, "text", chunk.id);
    case "reasoning-end":
      return endProse(thread, "reasoning", chunk.id);
    case "data-approval":
      return withApproval(thread, chunk.data);
    case "data-restart":
      return restart(thread);
    case "data-title":
      return { ...thread, title: chunk.data.title };
    case "data-notice":
      return editParts(thread, (parts) =>
        parts.some((part) => part.type === "notice" && part.id === chunk.id)
          ? parts
          : [...parts, { type: "notice", id: chunk.id, ...chunk.data }],
      );
    case "finish":
      return ended(thread, chunk.messageMetadata?.state ?? "done", null);
    case "abort":
      return ended(thread, "aborted", null);
    case "error":
      return ended(thread, "failed", chunk.errorText);
    default:
      return reduceTool(thread, chunk);
  }
}

type ToolChunk = Exclude<
  Chunk,
  {
    type:
      | "start"
      | "start-step"
      | `${"text" | "reasoning"}-${"start" | "delta" | "end"}`
      | "data-approval"
      | "data-restart"
      | "data-title"
      | "data-notice"
      | "finish"
      | "abort"
      | "error";
  }
>;

function reduceTool(thread: Thread, chunk: ToolChunk): Thread {
  switch (chunk.type) {
    case "tool-input-start":
      return editTool(thread, chunk.toolCallId, "input-streaming", {
        tool: chunk.toolName,
        ...titled(chunk.title),
      });
    case "tool-input-available":
      return editTool(thread, chunk.toolCallId, "input-available", {
        tool: chunk.toolName,
        input: chunk.input,
        ...titled(chunk.title),
      });
    case "tool-input-error":
      return editTool(thread, chunk.toolCallId, "output-error", {
        tool: chunk.toolName,
        input: chunk.input,
        error: chunk.errorText,
        ...titled(chunk.title),
      });
    case "tool-approval-request":
      return editTool(thread, chunk.toolCallId, "approval-requested", {});
    case "tool-output-available":
      return editTool(thread, chunk.toolCallId, "output-available", { output: chunk.output });
    case "tool-output-error":
      return editTool(thread, chunk.toolCallId, "output-error", { error: chunk.errorText });
    case "tool-output-denied":
      return editTool(thread, chunk.toolCallId, "output-denied", {});
    case "data-call":
      return withLine(thread, chunk.id, chunk.data);
    default:
      // A chunk type of a newer server: what it means to us is nothing.
      return thread;
  }
}

const titled = (title: string | undefined) => (title ? { title } : {});

function start(thread: Thread, messageId: string | undefined): Thread {
  const id = messageId ?? thread.live?.messageId ?? `run-${thread.messages.length}`;
  const known = thread.messages.some((message) => message.id === id);
  const messages: Message[] = known
    ? thread.messages
    : [...thread.messages, { id, role: "assistant", parts: [] }];
  return { ...thread, messages, live: { messageId: id, step: 0 }, end: null };
}

function startStep(thread: Thread): Thread {
  if (!thread.live) return thread;
  const step = thread.live.step + 1;
  const next: Thread = { ...thread, live: { ...thread.live, step }, end: null };
  return editParts(next, (parts) =>
    parts.filter((part) => part.type === "step").length >= step ? parts : [...parts, { type: "step" }],
  );
}

/** The answer of this step broke off and is asked for again: what was told of it is void. */
function restart(thread: Thread): Thread {
  return editParts(thread, (parts) => {
    const steps = parts.filter((part) => part.type === "step").length;
    // In a replay, what is there of a later step was told after this.
    if (steps > (thread.live?.step ?? 0)) return parts;
    return parts.slice(0, parts.findLastIndex((part) => part.type === "step") + 1);
  });
}

function editParts(thread: Thread, edit: (parts: Part[]) => Part[]): Thread {
  const id = thread.live?.messageId;
  const index = thread.messages.findLastIndex((message) => message.id === id);
  const message = thread.messages[index];
  if (!message) return thread;
  const parts = edit(message.parts);
  if (parts === message.parts) return thread;
  const messages = thread.messages.slice();
  messages[index] = { ...message, parts };
  return { ...thread, messages };
}

/** Some providers count part ids from zero again in each step, so the step is part of the key. */
const proseKey = (thread: Thread, id: string) => `${thread.live?.step ?? 0}:${id}`;

function startProse(thread: Thread, type: ProsePart["type"], id: string): Thread {
  const key = proseKey(thread, id);
  return editParts(thread, (parts) => {
    // A part that came with the stored conversation has no key yet: the order tells which it is.
    const isThis = (part: Part) => part.type === type && part.key === key;
    const isUnkeyed = (part: Part) => part.type === type && part.key === null;
    const at = parts.some(isThis) ? parts.findIndex(isThis) : parts.findIndex(isUnkeyed);
    const part = parts[at];
    if (part?.type !== type) return [...parts, { type, key, text: "", streaming: true, read: 0 }];
    return replaceAt(parts, at, { ...part, key, read: 0, streaming: true });
  });
}

function extendProse(thread: Thread, type: ProsePart["type"], id: string, delta: string): Thread {
  const key = proseKey(thread, id);
  return editParts(thread, (parts) => {
    const at = parts.findLastIndex((part) => part.type === type && part.key === key);
    const part = parts[at];
    if (part?.type !== type) return parts;
    const read = part.read + delta.length;
    const same = part.text.startsWith(delta, part.read);
    const text = same ? part.text : part.text.slice(0, part.read) + delta;
    return replaceAt(parts, at, { ...part, text, read });
  });
}

function endProse(thread: Thread, type: ProsePart["type"], id: string): Thread {
  const key = proseKey(thread, id);
  return editParts(thread, (parts) => {
    const at = parts.findLastIndex((part) => part.type === type && part.key === key);
    const part = parts[at];
    if (part?.type !== type) return parts;
    return replaceAt(parts, at, { ...part, text: part.text.slice(0, part.read), streaming: false, read: 0 });
  });
}

function replaceAt(parts: Part[], index: number, part: Part): Part[] {
  const next = parts.slice();
  next[index] = part;
  return next;
}

const toolRank: Record<ToolPartState, number> = {
  "input-streaming": 0,
  "input-available": 1,
  "approval-requested": 2,
  "approval-responded": 3,
  "output-available": 4,
  "output-error": 4,
  "output-denied": 4,
};

function editTool(thread: Thread, id: string, state: ToolPartState, change: Partial<ToolPart>): Thread {
  return editParts(thread, (parts) => {
    const at = parts.findIndex((part) => part.type === "tool" && part.id === id);
    const part = parts[at];
    if (part?.type !== "tool") return [...parts, { ...newTool(id), state, ...change }];
    const forward = toolRank[state] >= toolRank[part.state];
    return replaceAt(parts, at, { ...part, ...change, state: forward ? state : part.state });
  });
}

const endedCalls: ReadonlySet<CallStatus> = new Set([
  "succeeded",
  "failed",
  "refused",
  "rejected",
  "expired",
  "superseded",
  "cancelled",
  "not_started",
  "unknown",
]);

export function isEnded(status: CallStatus): boolean {
  return endedCalls.has(status);
}

function withLine(thread: Thread, id: string, line: CallLine): Thread {
  return editParts(thread, (parts) => {
    const at = parts.findIndex((part) => part.type === "tool" && part.id === id);
    const part = parts[at];
    if (part?.type !== "tool")
      return [...parts, { ...newTool(id), tool: line.tool, title: line.title, line }];
    if (part.line && isEnded(part.line.status) && !isEnded(line.status)) return parts;
    return replaceAt(parts, at, { ...part, title: line.title || part.title, line });
  });
}

const decided = (status: ApprovalStatus) => status !== "pending";

/** Stores an approval; one that is decided never becomes pending again. */
export function withApproval(thread: Thread, approval: Approval): Thread {
  const known = thread.approvals[approval.id];
  if (known && decided(known.status) && !decided(approval.status)) return thread;
  return { ...thread, approvals: { ...thread.approvals, [approval.id]: approval } };
}

function ended(thread: Thread, state: NonNullable<Thread["end"]>["state"], error: string | null): Thread {
  const settled = editParts(thread, (parts) =>
    parts.some((part) => isProse(part) && part.streaming)
      ? parts.map((part) => (isProse(part) ? { ...part, streaming: false } : part))
      : parts,
  );
  return { ...settled, end: { state, error } };
}

const isProse = (part: Part): part is ProsePart => part.type === "text" || part.type === "reasoning";
