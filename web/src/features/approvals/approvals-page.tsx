import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ListChecks } from "lucide-react";
import { useEffect, useState } from "react";
import { pendingApprovalsQuery } from "@/api/approvals";
import { sessionQuery } from "@/api/session";
import type { Approval, Call } from "@/api/types";
import { ApprovalCard } from "@/components/approval/approval-card";
import { LiveCall } from "@/components/call/live-call";
import { PageHeader } from "@/components/page-header";
import { Empty, Failed, Loading } from "@/components/page-state";
import { Segmented } from "@/components/segmented";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { type ApprovalFilter, approvalFilters, filtered } from "./filter";
import { Origin } from "./origin";

type Decided = { approval: Approval; call: Call | null };

/** The inbox: everything that waits, over all conversations and direct calls. */
export function ApprovalsPage() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(pendingApprovalsQuery);
  const { data: session } = useQuery(sessionQuery);
  const [filter, setFilter] = useState<ApprovalFilter>("all");
  // What is decided here stays in its place as a line until the page is left.
  const [seen, setSeen] = useState<Approval[]>([]);
  const [last, setLast] = useState<string | null>(null);
  const [decided, setDecided] = useState<Record<string, Decided>>({});
  useEffect(() => {
    setSeen((old) => {
      const pending = new Map(data?.map((each) => [each.id, each]));
      const kept = old.filter((each) => pending.has(each.id) || decided[each.id]);
      const known = new Set(kept.map((each) => each.id));
      return [...kept, ...(data ?? []).filter((each) => !known.has(each.id))];
    });
  }, [data, decided]);
  useEffect(() => {
    if (last) keepFocus(last);
  }, [last]);
  if (error) return <Failed text={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const reader = session?.user.id;
  const shown = filtered(seen, filter, reader);
  const onDecided = (approval: Approval, call: Call | null) => {
    setDecided((old) => ({ ...old, [approval.id]: { approval, call } }));
    void client.invalidateQueries({ queryKey: ["approvals"] });
    setLast(approval.id);
  };
  return (
    <main id="main" className="min-h-0 flex-1 overflow-y-auto">
      <PageHeader title={t("nav.approvals")} count={filtered(data, filter, reader).length}>
        <Segmented
          label={t("approvals.filter")}
          hideLabel
          value={filter}
          options={approvalFilters.map((each) => ({ value: each, label: t(`approvals.${each}`) }))}
          onChange={setFilter}
        />
      </PageHeader>
      {shown.length === 0 ? (
        <Empty
          icon={<ListChecks aria-hidden />}
          title={seen.length === 0 ? t("approvals.none") : t("approvals.noneMatch")}
          text={seen.length === 0 ? t("approvals.noneText") : t("approvals.noneMatchText")}
        />
      ) : null}
      <ul className="mx-auto grid max-w-[760px] grid-cols-[minmax(0,1fr)] gap-6 px-4 py-6">
        {shown.map((approval) => {
          const done = decided[approval.id];
          const isOwn = approval.asker.id === reader;
          return (
            <li key={approval.id} className="grid grid-cols-[minmax(0,1fr)] gap-2">
              <Origin approval={approval} />
              {done?.call && isOwn && !done.call.conversationId ? (
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

/** The buttons that had the focus are gone; without this the keyboard begins again at the top. */
function keepFocus(id: string): void {
  if (document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>(`[data-approval="${CSS.escape(id)}"] summary`)?.focus();
}
