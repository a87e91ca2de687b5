import { useMutation, useQueryClient } from "@tanstack/react-query";
import { deleteSubscriber, subscribersQuery } from "@/api/events";
import type { Subscriber } from "@/api/types";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { SaveError } from "@/components/save-error";
import { Spinner } from "@/components/spinner";
import { announce } from "@/lib/announce";
import { t } from "@/lib/t";

type Props = { subscriber: Subscriber; onClose: () => void; onDeleted: () => void };

/** Asks before a webhook goes, with what is on its way to it. */
export function DeleteDialog({ subscriber: { id, name }, onClose, onDeleted }: Props) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: async () => {
      await client.cancelQueries({ queryKey: subscribersQuery.queryKey });
      await deleteSubscriber(id);
    },
    onSuccess: () => {
      announce(t("events.deleted", { name }));
      onDeleted();
      client.setQueryData(subscribersQuery.queryKey, (all) => all?.filter((each) => each.id !== id));
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ["events"] }),
  });
  return (
    <Modal
      open
      onClose={onClose}
      place="centre"
      title={t("events.deleteTitle", { name })}
      description={t("events.deleteText")}
    >
      <div className="grid gap-3 px-5 py-4">
        <SaveError error={remove.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button variant="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {remove.isPending ? <Spinner className="text-current" /> : null}
            {t("events.deleteNow")}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
