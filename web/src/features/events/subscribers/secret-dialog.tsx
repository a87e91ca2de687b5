import { useMutation, useQueryClient } from "@tanstack/react-query";
import { renewSecret, subscribersQuery } from "@/api/events";
import type { Subscriber } from "@/api/types";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { SaveError } from "@/components/save-error";
import { Spinner } from "@/components/spinner";
import { t } from "@/lib/t";
import { SecretPanel } from "./secret-panel";

type Props = { subscriber: Subscriber; onClose: () => void };

/** Asks before the secret of a webhook is made anew, and shows the new one. */
export function SecretDialog({ subscriber: { id, name }, onClose }: Props) {
  const client = useQueryClient();
  const renew = useMutation({
    mutationFn: () => renewSecret(id),
    // It is a change like others: the version is another one now.
    onSettled: () => void client.invalidateQueries({ queryKey: subscribersQuery.queryKey }),
  });
  if (renew.data)
    return (
      <Modal open onClose={onClose} place="centre" title={name}>
        <div className="overflow-y-auto px-5 py-4">
          <SecretPanel secret={renew.data} onDone={onClose} />
        </div>
      </Modal>
    );
  return (
    <Modal
      open
      onClose={onClose}
      place="centre"
      title={t("events.newSecretTitle")}
      description={t("events.newSecretText", { name })}
    >
      <div className="grid gap-3 px-5 py-4">
        <SaveError error={renew.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button variant="danger" disabled={renew.isPending} onClick={() => renew.mutate()}>
            {renew.isPending ? <Spinner className="text-current" /> : null}
            {t("events.newSecretNow")}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
