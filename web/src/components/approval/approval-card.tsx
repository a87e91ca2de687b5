import { type KeyboardEvent, lazy, type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { Approval, GrantKind } from "@/api/types";
import { cx } from "@/lib/cx";
import { errorText } from "@/lib/error-text";
import { focusUnfit } from "@/lib/focus-unfit";
import { t } from "@/lib/t";
import { CardActions } from "./card-actions";
import { CardContent } from "./card-content";
import { CardHeader } from "./card-header";
import { cardTitle, isErased, isWhole } from "./card-title";
import { DecidedLine } from "./decided-line";
import { GrantChoice } from "./grant-choice";
import { ReasonForm } from "./reason-form";
import { type OnDecided, useDecision } from "./use-decision";
import { canEdit, isUnfit, useEdit } from "./use-edit";
import { waitsFor } from "./who-decides";

const ArgumentsEditor = lazy(() =>
  import("./arguments-editor").then((module) => ({ default: module.ArgumentsEditor })),
);

type Props = { approval: Approval; onDecided?: OnDecided; context?: ReactNode };
type Asking = "reject" | "request_change" | null;

/** The stored decision a call waits for. Once it is decided, a line says who decided what. */
export function ApprovalCard({ approval: given, onDecided, context }: Props) {
  const { approval, busy, error, decide } = useDecision(given, onDecided);
  const edit = useEdit(approval, error);
  const [asking, setAsking] = useState<Asking>(null);
  const [grant, setGrant] = useState<GrantKind>("once");
  const titleId = useId();
  const region = useRef<HTMLElement>(null);
  const waitedHere = useRef(false);
  useEffect(() => {
    if (approval.status === "pending") waitedHere.current = true;
    else setAsking(null);
  }, [approval.status]);
  const { card, mayDecide } = approval;
  const told = error && !isUnfit(error) ? errorText(error) : null;
  if (approval.status !== "pending" || isErased(card))
    return <DecidedLine approval={approval} note={told} takeFocus={waitedHere.current} />;

  const editing = edit.value !== null;
  // Nobody approves what they can't see.
  const verb = isWhole(card) ? card.verb : null;
  const red = isWhole(card) && (card.irreversible || card.level === "destructive");
  const approve = () => {
    if (!verb || busy || !mayDecide) return;
    if (edit.check() && !region.current?.querySelector("[data-broken]"))
      decide("approve", { ...edit.terms, ...(approval.mayGrant && grant !== "once" ? { grant } : {}) });
    else focusUnfit(region.current);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const decides =
      event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing;
    if (!decides || asking) return;
    event.preventDefault();
    approve();
  };
  return (
    <article
      ref={region}
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
      <CardHeader id={titleId} title={cardTitle(card)} red={red} />
      <CardContent approval={approval} context={context}>
        {editing ? <ArgumentsEditor edit={edit} asker={approval.asker} error={error} /> : null}
        {told ? (
          <p role="alert" className="text-danger">
            {told}
          </p>
        ) : null}
      </CardContent>
      {mayDecide ? null : (
        <p className="border-line border-t bg-rail px-3.5 py-2.5 text-ink-2">{waitsFor(approval)}</p>
      )}
      {mayDecide && asking ? (
        <ReasonForm
          decision={asking}
          busy={busy}
          onCancel={() => setAsking(null)}
          onSend={(decision, reason) => decide(decision, reason ? { reason } : {})}
        />
      ) : null}
      {mayDecide && !asking ? (
        <CardActions
          verb={verb && editing ? t("approval.approveEdited") : verb}
          red={red}
          busy={busy}
          onApprove={approve}
          onEdit={canEdit(approval) && !editing ? edit.start : null}
          onAsk={setAsking}
        >
          {approval.mayGrant ? (
            <GrantChoice value={grant} inConversation={approval.conversation !== null} onChange={setGrant} />
          ) : null}
        </CardActions>
      ) : null}
    </article>
  );
}
