import { useQuery } from "@tanstack/react-query";
import { Tabs } from "radix-ui";
import { documentQuery, modelsQuery } from "@/api/models";
import type { DataModel } from "@/api/types";
import { Modal } from "@/components/modal";
import { Failed, Loading } from "@/components/page-state";
import { YamlText } from "@/components/yaml-text";
import { errorText } from "@/lib/error-text";
import { pageDirection } from "@/lib/page-direction";
import { t } from "@/lib/t";
import { textAt } from "./editor/draft";
import { ModelActions } from "./model-actions";
import { ModelFacts } from "./model-facts";
import { ModelFields } from "./model-fields";

const tabs = ["fields", "yaml"] as const;
type Tab = (typeof tabs)[number];

type Props = { name: string; tab: string | undefined; onTab: (tab: string) => void; onClose: () => void };

export function ModelDrawer({ name, tab, onTab, onClose }: Props) {
  const { data, error, refetch } = useQuery(modelsQuery);
  const model = data?.models.find((each) => each.name === name);
  return (
    <Modal open onClose={onClose} title={model?.title ?? name} description={name} place="end">
      {error ? <Failed text={errorText(error)} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <Loading />}
      {data && !model ? <p className="px-5 py-4 text-ink-2">{t("data.missing", { name })}</p> : null}
      {model ? <ModelTabs model={model} tab={tab} onTab={onTab} onClose={onClose} /> : null}
    </Modal>
  );
}

type TabsProps = Omit<Props, "name"> & { model: DataModel };

function ModelTabs({ model, tab, onTab, onClose }: TabsProps) {
  const { data: document, error, refetch } = useQuery(documentQuery(model.path));
  const current: Tab = tabs.find((each) => each === tab) ?? "fields";
  const help = textAt(document?.definition ?? {}, "help");
  return (
    <Tabs.Root
      dir={pageDirection()}
      value={current}
      onValueChange={onTab}
      className="flex min-h-0 flex-1 flex-col"
    >
      <ModelActions model={model} onDeleted={onClose} />
      <Tabs.List aria-label={model.title} className="flex shrink-0 gap-1 border-line border-b px-3.5 pt-2">
        {tabs.map((each) => (
          <Tabs.Trigger
            key={each}
            value={each}
            className="-mb-px h-9 border-transparent border-b-2 px-2 font-medium text-ink-2 -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {t(`tab.${each}`)}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {tabs.map((each) => (
        <Tabs.Content
          key={each}
          value={each}
          className="min-h-0 flex-1 overflow-y-auto px-5 py-4 -outline-offset-2"
        >
          {error ? <Failed text={errorText(error)} onRetry={() => void refetch()} /> : null}
          {document || error ? null : <Loading />}
          {document && each === "fields" ? (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
              {help ? <p className="text-ink-2">{help}</p> : null}
              <ModelFacts model={model} document={document} />
              {document.definition ? (
                <ModelFields definition={document.definition} />
              ) : (
                <p className="text-ink-3">{t("data.unreadable")}</p>
              )}
            </div>
          ) : null}
          {document && each === "yaml" ? <YamlText text={document.text} label={document.path} /> : null}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
}
