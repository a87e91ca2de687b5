import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { agentsQuery } from "@/api/agents";
import { useConversations } from "@/api/conversations";
import { setupQuery } from "@/api/setup";
import type { Approval } from "@/api/types";
import { Failed, Loading } from "@/components/page-state";
import { t } from "@/lib/t";
import { Composer } from "./composer/composer";
import { ConversationHeader } from "./conversation-header";
import { MessageList } from "./message-list";
import { PendingBar } from "./pending-bar";
import { RunLine } from "./run-line";
import { useAnnounced } from "./use-announced";
import { useChatSession } from "./use-chat-session";
import { useHandRuns } from "./use-hand-runs";
import { useStickToBottom } from "./use-stick-to-bottom";

export function ConversationPage({ conversationId }: { conversationId: string }) {
  const [session, { thread, agent: agentName, phase, link, error, unsent }] = useChatSession(conversationId);
  const { data: agents } = useQuery(agentsQuery);
  const { data: setup } = useQuery(setupQuery);
  const { lines } = useConversations();
  const line = lines.find((each) => each.id === conversationId);
  const region = useRef<HTMLDivElement>(null);
  const toBottom = useStickToBottom(region, `${conversationId}${phase}`);
  const hand = useHandRuns(conversationId, thread.messages);
  const pending = Object.values(thread.approvals).find((approval) => approval.status === "pending");
  const agent = agents?.find((each) => each.name === agentName);
  const chat = agent !== undefined && setup?.languageModel.configured !== false;
  const busy = link !== "closed";
  useAnnounced(link, pending);

  // A turn that this tab did not begin: another tab has sent a message, or somebody has decided.
  const state = line?.state;
  const stateAt = line?.updatedAt;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `stateAt` tells one turn from the next
  useEffect(() => {
    if (phase !== "ready" || session.snapshot().link !== "closed") return;
    if (state === "running") void session.join();
    else if (state && session.isStale()) void session.load();
  }, [state, stateAt, phase, session]);

  const onDecided = useCallback(
    (approval: Approval) => {
      toBottom();
      session.applyApproval(approval);
    },
    [session, toBottom],
  );
  const onRestored = useCallback(() => session.clearUnsent(), [session]);

  if (phase === "loading") return <Loading />;
  if (phase === "missing") return <Failed text={t("chat.missing")} onRetry={() => void session.load()} />;
  if (phase === "broken") return <Failed text={error ?? ""} onRetry={() => void session.load()} />;
  return (
    <>
      <ConversationHeader
        id={conversationId}
        title={line?.title || thread.title || ""}
        agent={agent}
        onRenamed={(title) => session.rename(title)}
      />
      <div ref={region} className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto w-full max-w-[760px] px-4 py-6">
          <MessageList thread={thread} runs={hand.runs} onDecided={onDecided} />
          <RunLine link={link} thread={thread} pending={pending !== undefined} />
        </div>
      </div>
      <div className="mx-auto w-full max-w-[760px] px-4 pb-4">
        {error ? (
          <p role="alert" className="mb-2 rounded-lg bg-danger-soft px-3 py-2 text-danger">
            {error}
          </p>
        ) : null}
        {pending ? <PendingBar approval={pending} region={region} /> : null}
        <Composer
          key={conversationId}
          placeholder={placeholderOf(chat, pending, agent?.title)}
          chat={chat}
          busy={busy}
          restored={unsent}
          buttons={agent?.tools.filter((tool) => tool.composer) ?? []}
          conversationId={conversationId}
          onSend={(text) => {
            if (agent) void session.send(agent.name, text);
            requestAnimationFrame(toBottom);
          }}
          onStop={() => void session.stop()}
          onCalled={(call) => {
            hand.add(call);
            requestAnimationFrame(toBottom);
          }}
          onRestored={onRestored}
        />
      </div>
    </>
  );
}

function placeholderOf(chat: boolean, pending: Approval | undefined, agent: string | undefined): string {
  if (!chat) return t("composer.handOnly");
  return pending?.mayDecide ? t("composer.decide") : t("composer.ask", { agent: agent ?? "" });
}
