import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/badge";
import { cx } from "@/lib/cx";
import { duration } from "@/lib/format";
import { humanise } from "@/lib/labels";
import { t } from "@/lib/t";
import { type CallRun, outcomeOf, totalMs } from "../blocks";
import { CallLineView } from "./call-line";

/** Neighbouring calls of the same tool, as one line that opens to each of them. */
export function CallRunView({ run }: { run: CallRun }) {
  const [open, setOpen] = useState(false);
  const [only] = run.calls;
  if (run.calls.length === 1 && only) return <CallLineView call={only} />;
  const failed = run.calls.filter((call) => outcomeOf(call) === "failed").length;
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-8 w-full items-center gap-2 rounded-md px-1.5 text-start hover:bg-hover"
      >
        <span className="min-w-0 truncate">{humanise(run.tool)}</span>
        <span className="text-ink-3">{t("chat.times", { count: run.calls.length })}</span>
        {failed > 0 ? <Badge tone="danger">{t("chat.failedCount", { count: failed })}</Badge> : null}
        <span className="ms-auto text-ink-3 text-small tabular-nums">{duration(totalMs(run.calls))}</span>
        <ChevronRight
          aria-hidden
          className={cx(
            "size-4 text-ink-3 transition-transform rtl:rotate-180",
            open && "rotate-90 rtl:rotate-90",
          )}
        />
      </button>
      {open ? (
        <div className="ms-3 border-line border-s ps-1">
          {run.calls.map((call) => (
            <CallLineView key={call.id} call={call} />
          ))}
        </div>
      ) : null}
    </div>
  );
}
