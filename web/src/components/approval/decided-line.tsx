import { Check, Clock, MessageSquareMore, X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Approval } from "@/api/types";
import { JsonView } from "@/components/json-view";
import { cx } from "@/lib/cx";
import { longTime, shortTime } from "@/lib/format";
import { holds, WITHHELD } from "@/lib/marks";
import { t } from "@/lib/t";
import { CardBody } from "./card-body";
import { isErased, isWhole } from "./card-title";
import { decidedText } from "./decided-text";
import { EditedArguments } from "./edited-arguments";

const icons = {
  approved: Check,
  rejected: X,
  change_requested: MessageSquareMore,
  expired: Clock,
  superseded: Clock,
  cancelled: X,
  pending: Clock,
};

type Props = { approval: Approval; note: string | null; takeFocus: boolean };

/** A decided card: one line, which opens to what was decided about. */
export function DecidedLine({ approval, note, takeFocus }: Props) {
  const { card, argumentsBefore } = approval;
  const Icon = icons[approval.status];
  const summary = useRef<HTMLElement>(null);
  useEffect(() => {
    // The buttons that had the focus are gone; without this the keyboard begins again at the top.
    if (takeFocus && document.activeElement === document.body) summary.current?.focus();
  }, [takeFocus]);
  return (
    <div className="rounded-lg border border-line" data-approval={approval.id} data-status={approval.status}>
      <details className="group">
        <summary
          ref={summary}
          className="flex min-h-9 list-none items-start gap-2.5 rounded-lg px-3.5 py-2 hover:bg-hover"
        >
          <Icon
            aria-hidden
            className={cx(
              "mt-0.5 size-4 shrink-0",
              approval.status === "approved" ? "text-good" : "text-ink-3",
            )}
          />
          <span className="min-w-0 flex-1">
            <span className="text-ink">{decidedText(approval)}</span>
            {approval.reason ? <span className="block text-ink-2">“{approval.reason}”</span> : null}
          </span>
          {approval.decidedAt ? (
            <time
              dateTime={approval.decidedAt}
              title={longTime(approval.decidedAt)}
              className="text-ink-3 text-small"
            >
              {shortTime(approval.decidedAt)}
            </time>
          ) : null}
        </summary>
        <div className="grid gap-3 border-line border-t px-3.5 py-3">
          {isErased(card) ? <p className="text-ink-2">{t("approval.erased")}</p> : null}
          {isWhole(card) ? <CardBody card={card} /> : null}
          {isWhole(card) && argumentsBefore === null ? (
            <JsonView value={card.arguments} label={t("approval.exactRequest")} className="max-h-64" />
          ) : null}
          {isErased(card) ? null : <EditedArguments approval={approval} />}
          {holds(card, WITHHELD) ? (
            <p className="text-ink-3 text-small">{t("approval.withheldParts")}</p>
          ) : null}
        </div>
      </details>
      {note ? (
        <p role="alert" className="border-line border-t px-3.5 py-2 text-ask">
          {note}
        </p>
      ) : null}
    </div>
  );
}
