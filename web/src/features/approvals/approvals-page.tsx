import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import { useEffect, useState } from "react";
import { pendingApprovalsQuery } from "@/api/approvals";
import type { Approval, Call } from "@/api/types";
import { ApprovalCard } from "@/components/approval/approval-card";
import { LiveCall } from "@/components/call/live-call";
import { PageHeader } from "@/components/page-header";
import { Empty, Failed, Loading } from "@/components/page-state";
import { errorText } from "@/lib/error-text";
import { fromNow, longTime } from "@/lib/format";
import { t } from "@/lib/t";

type Decided = { approval: Approval; call: Call | null };

/** The inbox: everything that waits, over all conversations and direct calls. */
export function ApprovalsPage() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(pendingApprovalsQuery);
  // What is decided here stays in its place as a line until the page is left.
  const [seen, setSeen] = useState<Approval[]>([]);
  const [decided, setDecided] = useState<Record<string, Decided>>({});
  useEffect(() => {
    setSeen((old) => {
      const pending = new Map(data?.map((each) => [each.id, each]));
      const kept = old.filter((each) => pending.has(each.id) || decided[each.id]);
      const known = new Set(kept.map((each) => each.id));
      return [...kept, ...(data ?? []).filter((each) => !known.has(each.id))];
    });
  }, [data, decided]);
  if (error) return <Failed text={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const onDecided = (approval: Approval, call: Call | null) => {
    setDecided((old) => ({ ...old, [approval.id]: { approval, call } }));
    void client.invalidateQueries({ queryKey: ["approvals"] });
  };
  return (
    <main id="main" className="min-h-0 flex-1 overflow-y-auto">
      <PageHeader title={t("nav.approvals")} count={data.length} />
      {seen.length === 0 ? (
        <Empty icon={<ListChecks aria-hidden />} title={t("approvals.none")} text={t("approvals.noneText")} />
      ) : null}
      <ul className="mx-auto grid max-w-[760px] grid-cols-[minmax(0,1fr)] gap-6 px-4 py-6">
        {seen.map((approval) => {
          const done = decided[approval.id];
          return (
            <li key={approval.id} className="grid grid-cols-[minmax(0,1fr)] gap-2">
              <Origin approval={approval} />
              {done?.call && !done.call.conversationId ? (
                <LiveCall call={{ ...done.call, approval: done.approval }} />
              ) : (
                <ApprovalCard approval={done?.approval ?? approval} onDecided={onDecided} />
              )}
            </li>
          );
        })}
      </ul>
    </main>
  );
}

function Origin({ approval }: { approval: Approval }) {
  const { conversation } = approval;
  return (
    <p className="flex flex-wrap items-baseline gap-x-1.5 text-ink-2 text-small">
      <span>
        {approval.agent
          ? t("approvals.askedThrough", { who: approval.asker.name, agent: approval.agent })
          : t("approvals.askedDirectly", { who: approval.asker.name })}
      </span>
      <time dateTime={approval.createdAt} title={longTime(approval.createdAt)} className="text-ink-3">
        {fromNow(approval.createdAt)}
      </time>
      {conversation ? (
        <Link
          to="/chat/$conversationId"
          params={{ conversationId: conversation.id }}
          className="ms-auto text-accent-text underline underline-offset-2"
        >
          {conversation.title || t("chat.untitled")}
        </Link>
      ) : null}
    </p>
  );
}
