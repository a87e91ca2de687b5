import { memo, type ReactNode, useId, useMemo, useState } from "react";
import type { JsonObject } from "@/api/types";
import { t } from "@/lib/t";
import { describe } from "@/widgets/describe";
import { momentText } from "@/widgets/format";
import { readShown } from "@/widgets/read";
import type { Shown } from "@/widgets/spec";
import { AsTable } from "./as-table";
import { Boundary } from "./boundary";
import { ProblemNote } from "./problem-note";
import { WidgetActions } from "./widget-actions";
import { WidgetBody } from "./widget-body";

/** What `show_data` answered, at the place in the answer where it was asked for. */
export const WidgetCard = memo(function WidgetCard({ output }: { output: JsonObject }) {
  const shown = useMemo(() => readShown(output), [output]);
  const summary = useMemo(() => describe(shown), [shown]);
  const [asTable, setAsTable] = useState(false);
  const id = useId();
  const { data, widget, problem } = shown;
  const empty = data.rows.length === 0;
  return (
    <figure
      data-widget={widget.kind}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-summary`}
      className="grid grid-cols-[minmax(0,1fr)_auto] overflow-hidden rounded-xl border border-line bg-canvas text-base"
    >
      <figcaption className="min-w-0 self-center py-2.5 ps-3.5 pe-2">
        <bdi id={`${id}-title`} className="line-clamp-2 break-words font-semibold">
          {shown.title || t("widget.untitled")}
        </bdi>
        <span id={`${id}-summary`} className="sr-only">
          {summary}
        </span>
      </figcaption>
      <WidgetActions
        data={data}
        asTable={asTable}
        onAsTable={widget.kind === "table" || empty ? null : setAsTable}
      />
      <div className="col-span-2 border-line border-t">
        {problem ? <ProblemNote problem={problem} columns={data.columns} /> : null}
        {empty ? (
          <p className="px-3.5 py-6 text-center text-ink-2">{t("widget.noRows")}</p>
        ) : (
          <Boundary instead={<Broken shown={shown} />}>
            {asTable ? <AsTable shown={shown} /> : <WidgetBody widget={widget} data={data} />}
          </Boundary>
        )}
      </div>
      <Notes shown={shown} />
    </figure>
  );
});

function Broken({ shown }: { shown: Shown }) {
  return (
    <>
      <p className="bg-danger-soft px-3.5 py-2 text-danger">{t("widget.broken")}</p>
      <AsTable shown={shown} />
    </>
  );
}

function Notes({ shown: { asOf, data, widget } }: { shown: Shown }) {
  const totals = (widget.kind === "table" && widget.props.totals) || widget.kind === "pivot";
  const notes: ReactNode[] = [];
  if (data.truncated && totals) notes.push(t("widget.partTotals"));
  if (asOf) notes.push(t("widget.asOf", { when: momentText(asOf) }));
  if (notes.length === 0) return null;
  return (
    <p className="col-span-2 border-line border-t px-3.5 py-1.5 text-ink-2 text-small">{notes.join(" ")}</p>
  );
}
