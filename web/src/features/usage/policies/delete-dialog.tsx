import { useMutation, useQueryClient } from "@tanstack/react-query";
import { deletePolicy, policiesQuery } from "@/api/usage";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { SaveError } from "@/components/save-error";
import { Spinner } from "@/components/spinner";
import { announce } from "@/lib/announce";
import { t } from "@/lib/t";

type Props = { id: string; who: string; onClose: () => void; onDeleted: () => void };

/** Asks before a policy goes. */
export function DeleteDialog({ id, who, onClose, onDeleted }: Props) {
  const client = useQueryClient();
  const { queryKey } = policiesQuery;
  const remove = useMutation({
    mutationFn: async () => {
      await client.cancelQueries({ queryKey });
      await deletePolicy(id);
    },
    onSuccess: () => {
      announce(t("usage.deleted", { who }));
      onDeleted();
      client.setQueryData(queryKey, (all) => all?.filter((each) => each.id !== id));
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ["usage"] }),
  });
  return (
    <Modal
      open
      onClose={onClose}
      place="centre"
      title={t("usage.deleteTitle", { who })}
      description={t("usage.deleteText")}
    >
      <div className="grid gap-3 px-5 py-4">
        <SaveError error={remove.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button variant="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {remove.isPending ? <Spinner className="text-current" /> : null}
            {t("usage.deleteNow")}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
