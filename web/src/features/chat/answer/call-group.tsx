import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/badge";
import { cx } from "@/lib/cx";
import { duration } from "@/lib/format";
import { t } from "@/lib/t";
import { outcomeOf, runsOf, totalMs } from "../blocks";
import type { ToolPart } from "../stream/thread";
import { CallLineView } from "./call-line";
import { CallRunView } from "./call-run";

/** Calls between two pieces of text: one is a line; several fold together once all have ended. */
export function CallGroup({ calls }: { calls: ToolPart[] }) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [only] = calls;
  if (calls.length === 1 && only) return <CallLineView call={only} />;
  const running = calls.some((call) => outcomeOf(call) === "running");
  const open = chosen ?? running;
  const failed = calls.filter((call) => outcomeOf(call) === "failed").length;
  return (
    <div className="-my-1">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setChosen(!open)}
        className="flex h-8 items-center gap-2 rounded-md pe-2 text-ink-2 hover:text-ink"
      >
        <ChevronRight
          aria-hidden
          className={cx("size-4 transition-transform rtl:rotate-180", open && "rotate-90 rtl:rotate-90")}
        />
        <span>
          {running
            ? t("chat.runningTools", { count: calls.length })
            : t("chat.ranTools", { count: calls.length })}
        </span>
        {running ? null : (
          <span className="text-ink-3 text-small tabular-nums">{duration(totalMs(calls))}</span>
        )}
        {failed > 0 ? <Badge tone="danger">{t("chat.failedCount", { count: failed })}</Badge> : null}
      </button>
      {open ? (
        <div className="ms-2 border-line border-s ps-2">
          {runsOf(calls).map((run) => (
            <CallRunView key={run.key} run={run} />
          ))}
        </div>
      ) : null}
    </div>
  );
}
