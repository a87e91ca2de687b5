import { Link } from "@tanstack/react-router";
import { ChevronRight, Wrench } from "lucide-react";
import { useState } from "react";
import { cellText, isObject } from "@/api/json";
import type { Json } from "@/api/types";
import { Badge } from "@/components/badge";
import { ExportLinks } from "@/components/call/export-links";
import { isExport } from "@/components/call/is-export";
import { FieldList } from "@/components/field-list";
import { JsonView } from "@/components/json-view";
import { ResultView } from "@/components/result/result-view";
import { Spinner } from "@/components/spinner";
import { cx } from "@/lib/cx";
import { duration } from "@/lib/format";
import { humanise } from "@/lib/labels";
import { t } from "@/lib/t";
import { errorOf, outcomeOf, widgetOf } from "../blocks";
import type { ToolPart } from "../stream/thread";

/** One call: its title, how long it took, and behind that its arguments and result. */
export function CallLineView({ call }: { call: ToolPart }) {
  const [open, setOpen] = useState(false);
  const outcome = outcomeOf(call);
  const ms = call.line?.durationMs;
  return (
    <div data-call={call.id} data-outcome={outcome}>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-8 w-full items-center gap-2 rounded-md px-1.5 text-start hover:bg-hover"
      >
        {outcome === "running" ? (
          <Spinner />
        ) : (
          <Wrench aria-hidden className="size-3.5 shrink-0 text-ink-3" />
        )}
        <span className={cx("min-w-0 truncate", outcome === "running" && "text-ink-2")}>
          {call.title || humanise(call.tool)}
        </span>
        <span className="ms-auto flex shrink-0 items-center gap-2">
          {outcome === "failed" ? <Badge tone="danger">{t("status.failed")}</Badge> : null}
          {outcome === "denied" ? <Badge>{t("chat.didNotRun")}</Badge> : null}
          {typeof ms === "number" ? (
            <span className="text-ink-3 text-small tabular-nums">{duration(ms)}</span>
          ) : null}
          <ChevronRight
            aria-hidden
            className={cx(
              "size-4 text-ink-3 transition-transform rtl:rotate-180",
              open && "rotate-90 rtl:rotate-90",
            )}
          />
        </span>
      </button>
      {open ? <CallDetails call={call} /> : null}
    </div>
  );
}

function CallDetails({ call }: { call: ToolPart }) {
  const error = errorOf(call);
  return (
    <div className="ms-3 grid grid-cols-[minmax(0,1fr)] gap-2.5 border-line border-s py-1.5 ps-3.5 pe-1.5">
      <Arguments input={call.input} />
      {error ? <p className="whitespace-pre-wrap break-words text-danger">{error}</p> : null}
      {call.output !== undefined && !error ? <Output call={call} /> : null}
      {isExport({ tool: call.tool, status: call.line?.status ?? "asked", output: call.output ?? null }) ? (
        <ExportLinks callId={call.id} />
      ) : null}
      <Link
        to="/calls/$id"
        params={{ id: call.id }}
        className="w-fit text-accent-text text-small underline underline-offset-2"
      >
        {t("chat.wholeCall")}
      </Link>
    </div>
  );
}

/** What is drawn below the line is here in the words of the tool. */
function Output({ call }: { call: ToolPart }) {
  return widgetOf(call) ? (
    <JsonView value={call.output} label={t("result.label")} className="max-h-96" />
  ) : (
    <ResultView value={call.output} />
  );
}

function Arguments({ input }: { input: Json | undefined }) {
  if (!isObject(input ?? null)) return null;
  const fields = Object.entries(input as Record<string, Json>).map(([name, value]) => ({
    label: humanise(name),
    value: cellText(value),
  }));
  return fields.length > 0 ? <FieldList fields={fields} /> : null;
}
