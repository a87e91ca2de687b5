import { ShieldQuestion, TriangleAlert } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { Approval } from "@/api/types";
import { JsonView } from "@/components/json-view";
import { cx } from "@/lib/cx";
import { fromNow, longTime } from "@/lib/format";
import { t } from "@/lib/t";
import { useNow } from "@/lib/use-now";
import { CardActions } from "./card-actions";
import { CardBody } from "./card-body";
import { DecidedLine } from "./decided-line";
import { isErased } from "./erased";
import { ReasonForm } from "./reason-form";
import { type OnDecided, useDecision } from "./use-decision";

type Props = { approval: Approval; onDecided?: OnDecided; context?: ReactNode };
type Asking = "reject" | "request_change" | null;

/** The stored decision a call waits for. Once it is decided, a line says who decided what. */
export function ApprovalCard({ approval: given, onDecided, context }: Props) {
  const { approval, busy, error, decide } = useDecision(given, onDecided);
  const [asking, setAsking] = useState<Asking>(null);
  const titleId = useId();
  const waitedHere = useRef(false);
  useEffect(() => {
    if (approval.status === "pending") waitedHere.current = true;
    else setAsking(null);
  }, [approval.status]);
  const { card } = approval;
  if (approval.status !== "pending" || isErased(card))
    return <DecidedLine approval={approval} note={error} takeFocus={waitedHere.current} />;

  const red = card.irreversible || card.level === "destructive";
  const onKeyDown = (event: KeyboardEvent) => {
    const decides =
      event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing;
    if (!decides || asking || busy || !approval.mayDecide) return;
    event.preventDefault();
    decide("approve");
  };
  return (
    <section
      tabIndex={-1}
      aria-labelledby={titleId}
      data-approval={approval.id}
      data-status="pending"
      onKeyDown={onKeyDown}
      className={cx(
        "scroll-m-4 overflow-hidden rounded-xl border bg-canvas text-base shadow-lift outline-offset-2",
        red ? "border-danger-line" : "border-ask-line",
      )}
    >
      <header
        className={cx(
          "flex min-h-9 flex-wrap items-center gap-x-2 px-3.5 py-1.5",
          red ? "bg-danger-soft text-danger" : "bg-ask-soft text-ask",
        )}
      >
        {red ? (
          <TriangleAlert aria-hidden className="size-4" />
        ) : (
          <ShieldQuestion aria-hidden className="size-4" />
        )}
        <h2 id={titleId} className="min-w-0 font-semibold text-ink">
          {card.title}
        </h2>
        <span className="ms-auto font-medium text-meta">
          {red ? t("approval.cannotBeUndone") : t("approval.asksFirst")}
        </span>
      </header>
      <div className="grid gap-3 px-3.5 py-3">
        <p className="text-ink-2">
          {approval.mayDecide ? t("approval.youMayDecide") : t("approval.othersDecide")}{" "}
          <Expiry at={approval.expiresAt} />
        </p>
        {context}
        <CardBody card={card} />
        <details>
          <summary className="w-fit rounded-sm text-ink-2 text-small hover:text-ink">
            {t("approval.exactRequest")}
          </summary>
          <JsonView value={card.arguments} label={t("approval.exactRequest")} className="mt-2 max-h-64" />
        </details>
        {error ? (
          <p role="alert" className="text-danger">
            {error}
          </p>
        ) : null}
      </div>
      {asking ? (
        <ReasonForm decision={asking} busy={busy} onCancel={() => setAsking(null)} onSend={decide} />
      ) : (
        <CardActions
          verb={card.verb}
          red={red}
          busy={busy}
          mayDecide={approval.mayDecide}
          onApprove={() => decide("approve")}
          onAsk={setAsking}
        />
      )}
    </section>
  );
}

function Expiry({ at }: { at: string }) {
  const past = useNow(30_000) > Date.parse(at);
  return (
    <time dateTime={at} title={longTime(at)}>
      {past ? t("approval.expiredAgo", { when: fromNow(at) }) : t("approval.expires", { when: fromNow(at) })}
    </time>
  );
}
