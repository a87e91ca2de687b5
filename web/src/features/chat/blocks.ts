import type { Approval, JsonObject } from "@/api/types";
import { isWidget } from "@/widgets/is-widget";
import type { Message, NoticePart, ProsePart, Thread, ToolPart } from "./stream/thread";

/** What is drawn of an answer, in order. */
export type Block =
  | { kind: "prose"; key: string; part: ProsePart }
  | { kind: "calls"; key: string; calls: ToolPart[] }
  | { kind: "approval"; key: string; approval: Approval; call: ToolPart }
  | { kind: "shown"; key: string; call: ToolPart }
  | { kind: "widget"; key: string; output: JsonObject }
  | { kind: "notice"; key: string; part: NoticePart };

/** Groups neighbouring calls; a call that asked first stands at its own place, and so does a shown result. */
export function blocksOf(message: Message, approvals: Thread["approvals"]): Block[] {
  const blocks: Block[] = [];
  const byCall = new Map(Object.values(approvals).map((each) => [each.callId, each]));
  message.parts.forEach((part, index) => {
    const key = `${index}`;
    if (part.type === "step") return;
    if (part.type === "notice") blocks.push({ kind: "notice", key, part });
    else if (part.type !== "tool") {
      if (part.text.trim() !== "" || part.streaming) blocks.push({ kind: "prose", key, part });
    } else {
      const approval = byCall.get(part.id) ?? approvals[part.line?.approvalId ?? ""];
      if (approval) blocks.push({ kind: "approval", key: part.id, approval, call: part });
      if (approval?.status !== "pending") addCall(blocks, part);
    }
  });
  return blocks;
}

function addCall(blocks: Block[], call: ToolPart): void {
  const last = blocks.at(-1);
  if (last?.kind === "calls") last.calls.push(call);
  else blocks.push({ kind: "calls", key: `calls-${call.id}`, calls: [call] });
  if (call.state !== "output-available") return;
  const output = widgetOf(call);
  if (output) blocks.push({ kind: "widget", key: `widget-${call.id}`, output });
  else if (call.line?.shown) blocks.push({ kind: "shown", key: `shown-${call.id}`, call });
}

/** What a call has to draw, once it is all there. It is the same object until the call has another output. */
export const widgetOf = ({ state, output }: ToolPart): JsonObject | null =>
  state === "output-available" && isWidget(output) ? output : null;

export type Outcome = "running" | "done" | "failed" | "denied";

export function outcomeOf(call: ToolPart): Outcome {
  const status = call.line?.status;
  if (status === "failed" || status === "refused" || status === "unknown" || call.state === "output-error")
    return "failed";
  if (
    status === "rejected" ||
    status === "expired" ||
    status === "superseded" ||
    call.state === "output-denied"
  )
    return "denied";
  if (status === "cancelled" || status === "not_started") return "denied";
  return status === "succeeded" || call.state === "output-available" ? "done" : "running";
}

export type CallRun = { key: string; tool: string; calls: ToolPart[] };

/** Merges neighbours that use the same tool. */
export function runsOf(calls: ToolPart[]): CallRun[] {
  const runs: CallRun[] = [];
  for (const call of calls) {
    const last = runs.at(-1);
    if (last?.tool === call.tool) last.calls.push(call);
    else runs.push({ key: call.id, tool: call.tool, calls: [call] });
  }
  return runs;
}

export const totalMs = (calls: ToolPart[]): number =>
  calls.reduce((sum, call) => sum + (call.line?.durationMs ?? 0), 0);

export const errorOf = (call: ToolPart): string | null => call.error ?? call.line?.error ?? null;
