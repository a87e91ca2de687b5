import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { deleteDocument } from "@/api/models";
import type { DataModel } from "@/api/types";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { Loading } from "@/components/page-state";
import { Spinner } from "@/components/spinner";
import { StaleNote } from "@/components/stale-note";
import { announce } from "@/lib/announce";
import { t } from "@/lib/t";
import { isChangedElsewhere, placeText, problemsOf } from "./editor/problems";
import { ProblemList } from "./problem-list";
import { ReviewPanel } from "./review-panel";
import { useReviewedChange } from "./use-reviewed-change";

type Props = { model: DataModel; onClose: () => void; onDeleted: () => void };

/** Asks before a model goes, with what goes with it. */
export function DeleteModel({ model, onClose, onDeleted }: Props) {
  const client = useQueryClient();
  const change = useReviewedChange(
    (options) => deleteDocument(model, options),
    () => {
      announce(t("data.deleted", { title: model.title }));
      onDeleted();
      client.removeQueries({ queryKey: ["documents", model.path] });
    },
  );
  const { look, error, pending, mayApply } = change;
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    look();
  }, [look]);
  const isStale = isChangedElsewhere(error);
  const reload = async () => {
    onClose();
    await client.invalidateQueries({ queryKey: ["models"] });
    await client.invalidateQueries({ queryKey: ["documents", model.path] });
  };
  return (
    <Modal
      open
      onClose={onClose}
      place="centre"
      title={t("data.deleteTitle", { title: model.title })}
      description={t("data.deleteText")}
    >
      <div className="grid min-h-0 grid-cols-[minmax(0,1fr)] gap-3 overflow-y-auto px-5 py-4">
        {pending === "review" ? <Loading /> : null}
        {isStale ? (
          <StaleNote
            text={t("data.changedElsewhere")}
            action={t("data.reload")}
            onReload={() => void reload()}
          />
        ) : null}
        {error && !isStale ? (
          <ProblemList problems={problemsOf(error, model.path, "")} place={placeText} />
        ) : null}
        <ReviewPanel change={change} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("action.cancel")}</Button>
          <Button variant="danger" disabled={!mayApply || pending !== null} onClick={change.apply}>
            {pending === "apply" ? <Spinner className="text-current" /> : null}
            {t("data.delete")}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
