import { useId } from "react";
import type { Tool } from "@/api/types";
import { LevelBadge } from "@/components/level-badge";
import { Toggle } from "@/components/toggle";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { usePatchTool } from "../use-patch-tool";

/** Whether calls of this tool wait for a person, and why that can or cannot be changed. */
export function ApprovalTab({ tool }: { tool: Tool }) {
  const patch = usePatchTool();
  const id = useId();
  const fixed = tool.level !== "write";
  return (
    <div className="grid gap-4">
      <div className="flex items-center gap-2">
        <span className="text-ink-2">{t("tools.level")}</span>
        <LevelBadge level={tool.level} />
      </div>
      <p className="text-ink-2">{t(`levelText.${tool.level}`)}</p>
      <div className="flex items-start gap-3 rounded-lg border border-line p-3.5">
        <Toggle
          id={id}
          checked={tool.requiresApproval}
          disabled={fixed || !tool.mayEdit || patch.isPending}
          describedBy={`${id}-note`}
          onChange={(requiresApproval) => patch.mutate({ tool, patch: { requiresApproval } })}
        />
        <div>
          <label htmlFor={id} className="font-medium">
            {t("tools.requiresApproval")}
          </label>
          <p id={`${id}-note`} className="text-ink-2">
            {fixed || tool.mayEdit ? t(`approvalText.${tool.level}`) : t("tools.mayNotEdit")}
          </p>
        </div>
      </div>
      {patch.isError ? (
        <p role="alert" className="text-danger">
          {errorText(patch.error)}
        </p>
      ) : null}
    </div>
  );
}
