import type { DataModel, WorkspaceDocument } from "@/api/types";
import { FieldList } from "@/components/field-list";
import { longTime } from "@/lib/format";
import { t } from "@/lib/t";
import { textAt } from "./editor/draft";
import { placeOf } from "./filter";

/** Where a model is, what names its records, and who saved it last. */
export function ModelFacts({ model, document }: { model: DataModel; document: WorkspaceDocument }) {
  const { savedAt, savedBy, definition } = document;
  const display = textAt(definition ?? {}, "display");
  const when = savedAt ? longTime(savedAt) : "";
  const saved = savedBy ? t("data.savedByAt", { who: savedBy.name, when }) : when;
  return (
    <FieldList
      fields={[
        { label: t("data.titlePlural"), value: model.titlePlural },
        { label: t("data.where"), value: placeOf(model) },
        { label: t("data.display"), value: display || t("data.displayId") },
        ...(saved ? [{ label: t("data.savedLabel"), value: saved }] : []),
      ]}
    />
  );
}
