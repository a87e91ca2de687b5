import type { ApprovalTerms, Tool } from "@/api/types";
import { LevelBadge } from "@/components/level-badge";
import { SaveError } from "@/components/save-error";
import { ToggleRow } from "@/components/toggle-row";
import { announce } from "@/lib/announce";
import { t } from "@/lib/t";
import { Editable } from "../editable";
import { termsOf } from "../terms/terms";
import { TermsFacts } from "../terms/terms-facts";
import { TermsForm } from "../terms/terms-form";
import { usePatchTool } from "../use-patch-tool";

/** Whether calls of this tool wait for a person, why that can or cannot be changed, and how it is decided. */
export function ApprovalTab({ tool }: { tool: Tool }) {
  const patch = usePatchTool();
  const fixed = tool.level !== "write";
  const terms = termsOf(tool);
  const save = (approval: ApprovalTerms) =>
    patch.mutate(
      { tool, patch: { settings: { ...tool.settings, approval } } },
      { onSuccess: () => announce(t("terms.saved", { title: tool.title })) },
    );
  return (
    <div className="grid gap-4">
      <div className="flex items-center gap-2">
        <span className="text-ink-2">{t("tools.level")}</span>
        <LevelBadge level={tool.level} />
      </div>
      <p className="text-ink-2">{t(`levelText.${tool.level}`)}</p>
      <div className="rounded-lg border border-line p-3.5">
        <Editable tool={tool}>
          <ToggleRow
            label={t("tools.requiresApproval")}
            note={fixed || tool.mayEdit ? t(`approvalText.${tool.level}`) : t("tools.mayNotEdit")}
            checked={tool.requiresApproval}
            disabled={fixed || !tool.mayEdit || patch.isPending}
            onChange={(requiresApproval) => patch.mutate({ tool, patch: { requiresApproval } })}
          />
        </Editable>
      </div>
      <SaveError error={patch.error} />
      {tool.level === "read_only" || tool.mayEdit ? null : <TermsFacts terms={terms} />}
      {tool.level !== "read_only" && tool.mayEdit ? (
        <Editable tool={tool}>
          <TermsForm
            key={JSON.stringify([tool.file, terms])}
            tool={tool}
            terms={terms}
            isSaving={patch.isPending}
            onSave={tool.file ? null : save}
          />
        </Editable>
      ) : null}
    </div>
  );
}
