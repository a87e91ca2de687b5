import { Check, MessageSquareMore, X } from "lucide-react";
import { Button } from "@/components/button";
import { Keys } from "@/components/kbd";
import { Spinner } from "@/components/spinner";
import { t } from "@/lib/t";

type Props = {
  verb: string;
  red: boolean;
  busy: boolean;
  mayDecide: boolean;
  onApprove: () => void;
  onAsk: (decision: "reject" | "request_change") => void;
};

export function CardActions({ verb, red, busy, mayDecide, onApprove, onAsk }: Props) {
  if (!mayDecide)
    return (
      <p className="border-line border-t bg-rail px-3.5 py-2.5 text-ink-2">
        {t("approval.waitingForOthers")}
      </p>
    );
  return (
    <footer className="flex flex-wrap items-center gap-2 border-line border-t bg-rail px-3.5 py-2.5 max-sm:[&>button]:grow max-sm:[&>button]:justify-center">
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
    </footer>
  );
}
