import { OnlyFor } from "@/components/only-for";
import { t } from "@/lib/t";
import { ModelEditor } from "./editor/model-editor";

type Props = { onSaved: (name: string) => void; onCancel: () => void };

export function NewModelPage({ onSaved, onCancel }: Props) {
  return (
    <OnlyFor page="data">
      <ModelEditor
        title={t("data.new")}
        document={null}
        onSaved={onSaved}
        onCancel={onCancel}
        onReload={onCancel}
      />
    </OnlyFor>
  );
}
