import { Check, MessageSquareMore, PencilLine, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/button";
import { Keys } from "@/components/kbd";
import { Spinner } from "@/components/spinner";
import { t } from "@/lib/t";

type Props = {
  /** What the button in favour says; null where there is too little to see for it. */
  verb: string | null;
  red: boolean;
  busy: boolean;
  onApprove: () => void;
  onEdit: (() => void) | null;
  onAsk: (decision: "reject" | "request_change") => void;
  children?: ReactNode;
};

export function CardActions({ verb, red, busy, onApprove, onEdit, onAsk, children }: Props) {
  return (
    <footer className="flex flex-wrap items-center gap-2 border-line border-t bg-rail px-3.5 py-2.5 max-sm:[&>button]:grow max-sm:[&>button]:justify-center">
      {verb === null ? null : (
        <Button
          variant={red ? "danger" : "primary"}
          disabled={busy}
          onClick={onApprove}
          className="max-sm:w-full"
          aria-keyshortcuts="Control+Enter"
        >
          {busy ? <Spinner className="text-current" /> : <Check aria-hidden />}
          {verb}
        </Button>
      )}
      {onEdit ? (
        <Button disabled={busy} onClick={onEdit}>
          <PencilLine aria-hidden />
          {t("approval.editArguments")}
        </Button>
      ) : null}
      <Button disabled={busy} onClick={() => onAsk("request_change")}>
        <MessageSquareMore aria-hidden />
        {t("approval.requestChange")}
      </Button>
      <Button variant="ghost" className="max-sm:border-line" disabled={busy} onClick={() => onAsk("reject")}>
        <X aria-hidden />
        {t("approval.reject")}
      </Button>
      <span className="ms-auto flex items-center gap-1 text-ink-3 text-small max-sm:hidden">
        <Keys keys={["Alt", "A"]} />
        {t("approval.jumpsHere")}
      </span>
      {children}
    </footer>
  );
}
