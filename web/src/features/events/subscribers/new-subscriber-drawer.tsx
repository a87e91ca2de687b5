import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { addSubscriber, subscribersQuery } from "@/api/events";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { SaveError } from "@/components/save-error";
import { Spinner } from "@/components/spinner";
import { announce } from "@/lib/announce";
import { t } from "@/lib/t";
import { emptyDraft, sentOf } from "./draft";
import { SecretPanel } from "./secret-panel";
import { SubscriberForm } from "./subscriber-form";

/** A webhook that is being added, and then the secret that signs what it gets. */
export function NewSubscriberDrawer({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(emptyDraft);
  const add = useMutation({
    mutationFn: () => addSubscriber(sentOf(draft)),
    onSuccess: ({ subscriber: { name } }) => {
      announce(t("events.added", { name }));
      void client.invalidateQueries({ queryKey: subscribersQuery.queryKey });
    },
  });
  return (
    <Modal open onClose={onClose} title={add.data?.subscriber.name ?? t("events.add")} place="end">
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
        {add.data ? (
          <SecretPanel secret={add.data.secret} onDone={onClose} />
        ) : (
          <SubscriberForm
            label={t("events.add")}
            draft={draft}
            onChange={setDraft}
            onSubmit={() => {
              if (!add.isPending) add.mutate();
            }}
          >
            <SaveError error={add.error} />
            <div className="flex gap-2">
              <Button type="submit" variant="primary" disabled={add.isPending}>
                {add.isPending ? <Spinner className="text-current" /> : null}
                {t("events.add")}
              </Button>
              <Button variant="ghost" onClick={onClose}>
                {t("action.cancel")}
              </Button>
            </div>
          </SubscriberForm>
        )}
      </div>
    </Modal>
  );
}
