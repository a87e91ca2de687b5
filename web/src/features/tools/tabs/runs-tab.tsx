import { useInfiniteQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { callsQuery } from "@/api/calls";
import type { Tool } from "@/api/types";
import { Badge } from "@/components/badge";
import { Button } from "@/components/button";
import { callStatuses, statusText, statusTone } from "@/components/call/call-status";
import { CallStoryView } from "@/components/call/call-story";
import { Select } from "@/components/field";
import { Failed, Loading } from "@/components/page-state";
import { errorText } from "@/lib/error-text";
import { duration, longTime, shortTime } from "@/lib/format";
import { t } from "@/lib/t";

export function RunsTab({ tool }: { tool: Tool }) {
  const [status, setStatus] = useState("");
  const [open, setOpen] = useState<string | null>(null);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    callsQuery({ tool: tool.name, ...(status ? { status } : {}) }),
  );
  if (open)
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Button variant="ghost" className="-ms-3 w-fit" onClick={() => setOpen(null)}>
          <ArrowLeft aria-hidden className="rtl:rotate-180" />
          {t("tools.allRuns")}
        </Button>
        <CallStoryView id={open} />
      </div>
    );
  if (error) return <Failed text={errorText(error)} onRetry={() => void refetch()} />;
  const calls = data?.pages.flatMap((page) => page.items);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Select
        aria-label={t("calls.filterStatus")}
        width="w-44"
        value={status}
        onChange={(event) => setStatus(event.target.value)}
      >
        <option value="">{t("calls.anyStatus")}</option>
        {callStatuses.map((each) => (
          <option key={each} value={each}>
            {statusText(each)}
          </option>
        ))}
      </Select>
      {calls ? null : <Loading />}
      {calls?.length === 0 ? <p className="py-4 text-ink-3">{t("calls.none")}</p> : null}
      <ul className="divide-y divide-line">
        {calls?.map((call) => (
          <li key={call.id}>
            <button
              type="button"
              onClick={() => setOpen(call.id)}
              className="flex h-row w-full items-center gap-3 rounded-md px-1.5 text-start hover:bg-hover"
            >
              <span className="min-w-0 flex-1 truncate">{call.title}</span>
              <Badge tone={statusTone(call.status)}>{statusText(call.status)}</Badge>
              <span className="w-16 text-end text-ink-3 text-small tabular-nums">
                {call.durationMs === null ? "–" : duration(call.durationMs)}
              </span>
              <time
                dateTime={call.startedAt}
                title={longTime(call.startedAt)}
                className="w-16 text-end text-ink-3 text-small tabular-nums"
              >
                {shortTime(call.startedAt)}
              </time>
            </button>
          </li>
        ))}
      </ul>
      {hasNextPage ? (
        <div>
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t("action.more")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
