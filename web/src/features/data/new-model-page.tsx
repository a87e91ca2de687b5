import { t } from "@/lib/t";
import { ModelEditor } from "./editor/model-editor";
import { EditorsOnly } from "./editors-only";

type Props = { onSaved: (name: string) => void; onCancel: () => void };

export function NewModelPage({ onSaved, onCancel }: Props) {
  return (
    <EditorsOnly>
      <ModelEditor
        title={t("data.new")}
        document={null}
        onSaved={onSaved}
        onCancel={onCancel}
        onReload={onCancel}
      />
    </EditorsOnly>
  );
}
