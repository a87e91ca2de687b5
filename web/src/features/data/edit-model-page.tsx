import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { documentQuery, modelsQuery } from "@/api/models";
import type { DataModel, WorkspaceDocument } from "@/api/types";
import { OnlyFor } from "@/components/only-for";
import { Failed, Loading } from "@/components/page-state";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { ModelEditor } from "./editor/model-editor";

type Props = { name: string; onSaved: (name: string) => void; onCancel: () => void };

export function EditModelPage(props: Props) {
  return (
    <OnlyFor page="data">
      <Found {...props} />
    </OnlyFor>
  );
}

function Found(props: Props) {
  const { data, error, refetch } = useQuery(modelsQuery);
  if (error) return <Failed text={errorText(error)} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const model = data.models.find((each) => each.name === props.name);
  if (!model) return <Failed text={t("data.missing", { name: props.name })} onRetry={() => void refetch()} />;
  if (model.origin === "file")
    return <Failed text={t("data.fromFile", { path: model.path })} onRetry={props.onCancel} />;
  return <Opened {...props} model={model} />;
}

type Reading = { document: WorkspaceDocument; count: number };

/** The editor keeps what it was opened with: the file read again in the background is not what was edited. */
function Opened({ model, onSaved, onCancel }: Props & { model: DataModel }) {
  const { data, error, isFetchedAfterMount, refetch } = useQuery(documentQuery(model.path));
  const [reading, setReading] = useState<Reading | null>(null);
  if (reading === null && data && !error && isFetchedAfterMount) setReading({ document: data, count: 0 });
  if (error && !reading) return <Failed text={errorText(error)} onRetry={() => void refetch()} />;
  if (!reading) return <Loading />;
  const reload = async () => {
    const { data: document, isSuccess } = await refetch();
    setReading(document && isSuccess ? { document, count: reading.count + 1 } : null);
  };
  return (
    <ModelEditor
      key={reading.count}
      title={t("data.editTitle", { title: model.title })}
      document={reading.document}
      onSaved={onSaved}
      onCancel={onCancel}
      onReload={() => void reload()}
    />
  );
}
