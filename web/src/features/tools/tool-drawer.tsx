import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Tabs } from "radix-ui";
import { useId } from "react";
import { toolQuery, toolsQuery } from "@/api/tools";
import { Modal } from "@/components/modal";
import { Failed, Loading } from "@/components/page-state";
import { errorText } from "@/lib/error-text";
import { humanise } from "@/lib/labels";
import { pageDirection } from "@/lib/page-direction";
import { t } from "@/lib/t";
import { FileNote } from "./file-note";
import { ApprovalTab } from "./tabs/approval-tab";
import { DefinitionTab } from "./tabs/definition-tab";
import { EventsTab } from "./tabs/events-tab";
import { RunsTab } from "./tabs/runs-tab";
import { SharingTab } from "./tabs/sharing-tab";
import { TestTab } from "./tabs/test-tab";
import { VersionsTab } from "./tabs/versions-tab";

const tabs = ["definition", "test", "approval", "events", "sharing", "versions", "runs"] as const;
type Tab = (typeof tabs)[number];
/** What only those have who may edit the tool. */
const ofEditors: ReadonlySet<Tab> = new Set(["events", "sharing", "versions"]);

type Props = { name: string; tab: string | undefined; onTab: (tab: string) => void; onClose: () => void };

export function ToolDrawer({ name, tab, onTab, onClose }: Props) {
  const client = useQueryClient();
  const noteId = useId();
  const {
    data: tool,
    error,
    refetch,
  } = useQuery({
    ...toolQuery(name),
    placeholderData: () => client.getQueryData(toolsQuery.queryKey)?.find((each) => each.name === name),
  });
  const shown = tabs.filter((each) => tool?.mayEdit || !ofEditors.has(each));
  const current: Tab = shown.find((each) => each === tab) ?? "definition";
  return (
    <Modal
      open
      onClose={onClose}
      title={tool?.title ?? humanise(name)}
      description={firstLine(tool?.description) || name}
      place="end"
    >
      {error ? <Failed text={errorText(error)} onRetry={() => void refetch()} /> : null}
      {tool || error ? null : <Loading />}
      {tool ? (
        <Tabs.Root
          dir={pageDirection()}
          value={current}
          onValueChange={onTab}
          className="flex min-h-0 flex-1 flex-col"
        >
          {tool.file ? <FileNote id={noteId} file={tool.file} /> : null}
          <Tabs.List
            aria-label={tool.title}
            className="flex shrink-0 gap-1 overflow-x-auto overflow-y-hidden border-line border-b px-3.5 pt-2"
          >
            {shown.map((each) => (
              <Tabs.Trigger
                key={each}
                value={each}
                className="h-9 shrink-0 border-transparent border-b-2 px-2 font-medium text-ink-2 -outline-offset-2 hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
              >
                {t(`tab.${each}`)}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          {shown.map((each) => (
            <Tabs.Content
              key={each}
              value={each}
              aria-describedby={tool.file ? noteId : undefined}
              className="min-h-0 flex-1 overflow-y-auto px-5 py-4 -outline-offset-2"
            >
              {each === "definition" ? <DefinitionTab tool={tool} /> : null}
              {each === "test" ? <TestTab tool={tool} /> : null}
              {each === "approval" ? <ApprovalTab tool={tool} /> : null}
              {each === "events" ? <EventsTab tool={tool} /> : null}
              {each === "sharing" ? <SharingTab tool={tool} /> : null}
              {each === "versions" ? <VersionsTab tool={tool} /> : null}
              {each === "runs" ? <RunsTab tool={tool} /> : null}
            </Tabs.Content>
          ))}
        </Tabs.Root>
      ) : null}
    </Modal>
  );
}

const firstLine = (text: string | undefined): string => text?.split("\n")[0] ?? "";
