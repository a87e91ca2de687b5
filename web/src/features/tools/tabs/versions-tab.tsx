import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { restoreTool, toolVersionsQuery } from "@/api/tools";
import type { Tool, ToolVersion } from "@/api/types";
import { Failed, Loading } from "@/components/page-state";
import { SaveError } from "@/components/save-error";
import { announce } from "@/lib/announce";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { Editable } from "../editable";
import { takeTool, takeToolError } from "../use-patch-tool";
import { RestoreDialog } from "../versions/restore-dialog";
import { VersionItem } from "../versions/version-item";

/** Every saved version of a tool: who saved it, what it changed, and the way back to it. */
export function VersionsTab({ tool }: { tool: Tool }) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<ToolVersion | null>(null);
  const { data: versions, error, refetch } = useQuery(toolVersionsQuery(tool.name));
  const restore = useMutation({
    mutationFn: ({ version }: ToolVersion) => restoreTool(tool, version),
    onSuccess: (next, { version }) => {
      takeTool(client, next);
      announce(t("versions.restored", { n: version }));
    },
    onError: (failed) => takeToolError(client, failed),
    onSettled: () => setAsked(null),
  });
  if (error) return <Failed text={errorText(error)} onRetry={() => void refetch()} />;
  if (!versions) return <Loading />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <SaveError error={restore.error} />
      <Editable tool={tool}>
        <ol aria-label={t("tab.versions")} className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {versions.map((each, index) => (
            <VersionItem
              key={each.version}
              version={each}
              isCurrent={each.version === tool.version}
              isFirst={index === versions.length - 1}
              onRestore={tool.mayEdit ? () => setAsked(each) : null}
            />
          ))}
        </ol>
      </Editable>
      {asked ? (
        <RestoreDialog
          version={asked}
          isSaving={restore.isPending}
          onRestore={() => restore.mutate(asked)}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </div>
  );
}
