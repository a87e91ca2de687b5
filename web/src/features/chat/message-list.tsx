import { memo } from "react";
import type { Approval } from "@/api/types";
import { Answer } from "./answer/answer";
import { HandRunView } from "./hand-run-view";
import type { Message, Thread } from "./stream/thread";
import type { HandRun } from "./use-hand-runs";

type Props = { thread: Thread; runs: HandRun[]; onDecided: (approval: Approval) => void };

export function MessageList({ thread, runs, onDecided }: Props) {
  const ids = new Set(thread.messages.map((message) => message.id));
  const after = (id: string | null) =>
    runs
      .filter((run) => (run.after !== null && ids.has(run.after) ? run.after : null) === id)
      .map((run) => <HandRunView key={run.call.id} call={run.call} />);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {thread.messages.map((message) => (
        <div key={message.id} className="contents">
          {message.role === "user" ? (
            <Question message={message} />
          ) : (
            <Answer message={message} approvals={thread.approvals} onDecided={onDecided} />
          )}
          {after(message.id)}
        </div>
      ))}
      {after(null)}
    </div>
  );
}

const Question = memo(function Question({ message }: { message: Message }) {
  const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  return (
    <p
      dir="auto"
      data-role="user"
      className="max-w-[85%] justify-self-end whitespace-pre-wrap break-words rounded-xl rounded-ee-sm bg-accent-soft px-3.5 py-2 text-chat"
    >
      {text}
    </p>
  );
});
