import { type FormEvent, type KeyboardEvent, useId, useState } from "react";
import type { Decision } from "@/api/types";
import { Button } from "@/components/button";
import { TextArea } from "@/components/field";
import { t } from "@/lib/t";

type Props = {
  decision: "reject" | "request_change";
  busy: boolean;
  onCancel: () => void;
  onSend: (decision: Decision, reason: string) => void;
};

export function ReasonForm({ decision, busy, onCancel, onSend }: Props) {
  const [reason, setReason] = useState("");
  const id = useId();
  const change = decision === "request_change";
  const ready = !busy && (!change || reason.trim() !== "");
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (ready) onSend(decision, reason.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      onCancel();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.stopPropagation();
      submit();
    }
  };
  return (
    <form onSubmit={submit}>
      <div className="grid gap-1.5 px-3.5 pb-3.5">
        <label htmlFor={id} className="font-medium text-small">
          {change ? t("approval.whatShouldChange") : t("approval.whyReject")}
        </label>
        <TextArea
          id={id}
          autoFocus
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder={change ? t("approval.changePlaceholder") : t("approval.rejectPlaceholder")}
        />
      </div>
      <footer className="flex items-center gap-2 border-line border-t bg-rail px-3.5 py-2.5">
        <Button type="submit" variant="primary" disabled={!ready}>
          {change ? t("approval.sendBack") : t("approval.rejectNow")}
        </Button>
        <Button variant="ghost" disabled={busy} onClick={onCancel}>
          {t("action.cancel")}
        </Button>
      </footer>
    </form>
  );
}
