import type { Approval, CallLine, Conversation, Json, NoticeKind, ToolPartState } from "@/api/types";

export type ProsePart = {
  type: "text" | "reasoning";
  /** `step:id` of the stream; `null` while the part is only known from the stored conversation. */
  key: string | null;
  text: string;
  streaming: boolean;
  /** How far a replay has read into `text`. */
  read: number;
};
export type ToolPart = {
  type: "tool";
  id: string;
  tool: string;
  title: string;
  state: ToolPartState;
  input: Json | undefined;
  output: Json | undefined;
  error: string | null;
  line: CallLine | null;
};
export type NoticePart = { type: "notice"; id: string; kind: NoticeKind; text: string };
export type StepPart = { type: "step" };
export type Part = ProsePart | ToolPart | NoticePart | StepPart;

export type Message = { id: string; role: "user" | "assistant"; parts: Part[] };

/** Everything the screen shows of one conversation. */
export type Thread = {
  messages: Message[];
  approvals: Record<string, Approval>;
  title: string | null;
  /** The message the stream is writing to, and the step it is in. */
  live: { messageId: string; step: number } | null;
  /** How the newest run ended, as far as the stream said. */
  end: { state: "done" | "waiting" | "aborted" | "failed"; error: string | null } | null;
};

export const emptyThread: Thread = { messages: [], approvals: {}, title: null, live: null, end: null };

/** Whether the newest answer says itself why it ended. */
export const isEndTold = ({ messages, end }: Thread): boolean =>
  messages.at(-1)?.parts.some((part) => part.type === "notice" && part.text === end?.error) ?? false;

/** Makes the thread from a stored conversation. */
export function threadOf(conversation: Conversation): Thread {
  return {
    messages: conversation.messages.map((message) => ({
      id: message.id,
      role: message.role,
      parts: partsOf(message.parts),
    })),
    approvals: Object.fromEntries([...approvalsIn(conversation)].map((each) => [each.id, each])),
    title: conversation.title,
    live: null,
    end: null,
  };
}

function* approvalsIn(conversation: Conversation): Generator<Approval> {
  for (const message of conversation.messages)
    for (const part of message.parts) if (part.type === "data-approval") yield part.data;
  // The list is read at the time of the request and so is newer than a stored part.
  yield* conversation.approvals;
}

function partsOf(stored: Conversation["messages"][number]["parts"]): Part[] {
  const parts: Part[] = [];
  for (const part of stored) {
    if (part.type === "step-start") parts.push({ type: "step" });
    else if (part.type === "text" || part.type === "reasoning")
      parts.push({ type: part.type, key: null, text: part.text, streaming: false, read: 0 });
    else if (part.type === "data-notice") parts.push({ type: "notice", id: part.id, ...part.data });
    else if (part.type === "dynamic-tool" || part.type === "data-call") mergeTool(parts, part);
  }
  return parts;
}

function mergeTool(
  parts: Part[],
  part: Extract<Conversation["messages"][number]["parts"][number], { type: "dynamic-tool" | "data-call" }>,
): void {
  const id = part.type === "data-call" ? part.id : part.toolCallId;
  let tool = parts.find((each): each is ToolPart => each.type === "tool" && each.id === id);
  if (!tool) {
    tool = newTool(id);
    parts.push(tool);
  }
  if (part.type === "data-call") {
    tool.line = part.data;
    tool.tool = part.data.tool;
    tool.title ||= part.data.title;
    return;
  }
  tool.tool = part.toolName;
  tool.title = part.title ?? tool.title;
  tool.state = part.state;
  tool.input = part.input;
  tool.output = part.output;
  tool.error = part.errorText ?? null;
}

export function newTool(id: string): ToolPart {
  return {
    type: "tool",
    id,
    tool: "",
    title: "",
    state: "input-streaming",
    input: undefined,
    output: undefined,
    error: null,
    line: null,
  };
}
