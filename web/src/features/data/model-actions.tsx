import { Link } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { DataModel } from "@/api/types";
import { Button, buttonClass } from "@/components/button";
import { t } from "@/lib/t";
import { OriginChip, ReadOnlyChip } from "./chips";
import { DeleteModel } from "./delete-model";

type Props = { model: DataModel; onDeleted: () => void };

/** What can be done with a model here, or where it is changed. */
export function ModelActions({ model, onDeleted }: Props) {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-b px-5 py-2.5">
      <OriginChip origin={model.origin} />
      {model.readOnly ? <ReadOnlyChip /> : null}
      {model.origin === "file" ? (
        <p className="min-w-0 flex-1 break-words text-ink-2">{t("data.fromFile", { path: model.path })}</p>
      ) : (
        <span className="ms-auto flex gap-2">
          <Link to="/data/$name/edit" params={{ name: model.name }} className={buttonClass("secondary")}>
            <Pencil aria-hidden />
            {t("data.edit")}
          </Link>
          <Button onClick={() => setDeleting(true)}>
            <Trash2 aria-hidden className="text-danger" />
            {t("data.delete")}
          </Button>
        </span>
      )}
      {isDeleting ? (
        <DeleteModel model={model} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
      ) : null}
    </div>
  );
}
