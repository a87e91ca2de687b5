import { useMutation, useQueryClient } from "@tanstack/react-query";
import { deleteConversation } from "@/api/conversations";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { forgetSession } from "./use-chat-session";

type Props = { id: string; title: string; onClose: () => void; onDeleted: () => void };

export function DeleteDialog({ id, title, onClose, onDeleted }: Props) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteConversation(id),
    onSuccess: () => {
      forgetSession(id);
      void client.invalidateQueries({ queryKey: ["conversations"] });
      onDeleted();
    },
  });
  return (
    <Modal
      open
      onClose={onClose}
      title={t("chat.deleteTitle")}
      description={t("chat.deleteText", { title })}
      place="centre"
    >
      <div className="grid gap-3 px-5 py-4">
        {remove.isError ? (
          <p role="alert" className="text-danger">
            {errorText(remove.error)}
          </p>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button variant="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {t("chat.delete")}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
