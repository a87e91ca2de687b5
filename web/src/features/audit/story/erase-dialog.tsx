import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { erasePayload } from "@/api/audit";
import type { AuditStory } from "@/api/types";
import { Button } from "@/components/button";
import { Labelled, TextArea } from "@/components/field";
import { Modal } from "@/components/modal";
import { Spinner } from "@/components/spinner";
import { announce } from "@/lib/announce";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";

/** Asks why before a payload goes for good. */
export function EraseDialog({ story, onClose }: { story: AuditStory; onClose: () => void }) {
  const client = useQueryClient();
  const [reason, setReason] = useState("");
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // After the drawer below has let go of the focus.
    const frame = requestAnimationFrame(() => field.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const erase = useMutation({
    mutationFn: () => erasePayload(story.id, reason.trim()),
    onSuccess: () => {
      announce(t("audit.erased"));
      // Closed first: the focus goes back to the button, and from there to the drawer when it goes.
      onClose();
      for (const key of ["audit", "calls", "call", "approvals", "conversations"])
        void client.invalidateQueries({ queryKey: [key] });
    },
  });
  const isReady = reason.trim() !== "" && !erase.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) erase.mutate();
  };
  return (
    <Modal
      open
      onClose={onClose}
      place="centre"
      title={t("audit.eraseTitle")}
      description={t("audit.eraseText", { title: story.title })}
    >
      <form onSubmit={submit} className="grid min-h-0 gap-4 overflow-y-auto px-5 py-4">
        <p className="rounded-lg border border-danger-line bg-danger-soft p-3 text-danger">
          {t("audit.eraseExplained")}
        </p>
        <Labelled id={id} label={t("audit.reason")} hint={t("audit.reasonHint")}>
          <TextArea
            id={id}
            ref={field}
            required
            value={reason}
            aria-describedby={`${id}-note`}
            onChange={(event) => setReason(event.target.value)}
          />
        </Labelled>
        {erase.isError ? (
          <p role="alert" className="text-danger">
            {errorText(erase.error)}
          </p>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button type="submit" variant="danger" disabled={!isReady}>
            {erase.isPending ? <Spinner className="text-current" /> : null}
            {t("audit.eraseNow")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
