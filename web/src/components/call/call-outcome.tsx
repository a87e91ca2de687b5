import type { Call } from "@/api/types";
import { ApprovalCard } from "@/components/approval/approval-card";
import type { OnDecided } from "@/components/approval/use-decision";
import { Badge } from "@/components/badge";
import { ResultView } from "@/components/result/result-view";
import { Spinner } from "@/components/spinner";
import { duration } from "@/lib/format";
import { isUnfinished, statusText, statusTone } from "./call-status";
import { ExportLinks } from "./export-links";
import { isExport } from "./is-export";
import { TrialNote } from "./trial-note";

type Props = { call: Call; onDecided?: OnDecided };

/** How a call stands: the card it waits for, its result, or why there is none. */
export function CallOutcome({ call, onDecided }: Props) {
  const waits = call.approval?.status === "pending";
  return (
    <div className="grid gap-2.5" data-call={call.id} data-status={call.status}>
      {call.trial ? <TrialNote trial={call.trial} /> : null}
      {call.approval ? <ApprovalCard approval={call.approval} {...(onDecided ? { onDecided } : {})} /> : null}
      {waits ? null : (
        <>
          <p className="flex items-center gap-2 text-ink-2">
            {isUnfinished(call.status) ? (
              <Spinner />
            ) : (
              <Badge tone={statusTone(call.status)}>{statusText(call.status)}</Badge>
            )}
            <span className="min-w-0 truncate">{call.title}</span>
            {call.durationMs === null ? null : (
              <span className="ms-auto text-ink-3 text-small tabular-nums">{duration(call.durationMs)}</span>
            )}
          </p>
          {call.error ? (
            <p role="alert" className="whitespace-pre-wrap break-words text-danger">
              {call.error}
            </p>
          ) : null}
          {call.status === "succeeded" ? (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
              <ResultView value={call.output} />
              {isExport(call) ? <ExportLinks callId={call.id} /> : null}
            </div>
          ) : null}
        </>
      )}
    </div>
  );
}
