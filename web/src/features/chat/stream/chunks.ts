import type { Approval, CallLine, ConversationState, Json, NoticeKind } from "@/api/types";

/** The chunks of the UI message stream that this app reads. */
export type Chunk =
  | { type: "start"; messageId?: string; messageMetadata?: { conversationId?: string; runId?: string } }
  | { type: "start-step" }
  | { type: "finish-step" }
  | { type: "text-start" | "reasoning-start" | "text-end" | "reasoning-end"; id: string }
  | { type: "text-delta" | "reasoning-delta"; id: string; delta: string }
  | { type: "tool-input-start"; toolCallId: string; toolName: string; title?: string }
  | { type: "tool-input-delta"; toolCallId: string; inputTextDelta: string }
  | { type: "tool-input-available"; toolCallId: string; toolName: string; input: Json; title?: string }
  | {
      type: "tool-input-error";
      toolCallId: string;
      toolName: string;
      input?: Json;
      errorText: string;
      title?: string;
    }
  | { type: "tool-output-available"; toolCallId: string; output: Json }
  | { type: "tool-output-error"; toolCallId: string; errorText: string }
  | { type: "tool-output-denied"; toolCallId: string }
  | { type: "tool-approval-request"; approvalId: string; toolCallId: string }
  | { type: "data-call"; id: string; data: CallLine }
  | { type: "data-approval"; id: string; data: Approval }
  | { type: "data-notice"; id: string; data: { kind: NoticeKind; text: string } }
  | { type: "data-restart" }
  | { type: "data-title"; data: { title: string } }
  | { type: "finish"; messageMetadata?: { state?: "done" | "waiting" } }
  | { type: "error"; errorText: string }
  | { type: "abort" };

export type StreamEnd = { state: ConversationState; error: string | null };

const DONE = "[DONE]";

/** Reads one frame. `null` is the end marker or a frame that is not a chunk. */
export function parseFrame(frame: string): Chunk | null {
  if (frame === DONE) return null;
  try {
    const value: unknown = JSON.parse(frame);
    const isChunk = typeof value === "object" && value !== null && "type" in value;
    return isChunk ? (value as Chunk) : null;
  } catch {
    return null;
  }
}
