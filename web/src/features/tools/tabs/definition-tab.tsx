import { Link } from "@tanstack/react-router";
import type { Tool, ToolPatch } from "@/api/types";
import { FieldList } from "@/components/field-list";
import { JsonView } from "@/components/json-view";
import { SaveError } from "@/components/save-error";
import { kindText } from "@/components/tool/kind";
import { announce } from "@/lib/announce";
import { t } from "@/lib/t";
import { SchemaTable } from "../schema-table";
import { SettingsForm } from "../settings/settings-form";
import { usePatchTool } from "../use-patch-tool";

export function DefinitionTab({ tool }: { tool: Tool }) {
  const patch = usePatchTool();
  const save = (change: ToolPatch) =>
    patch.mutate(
      { tool, patch: change },
      { onSuccess: () => announce(t("toolSettings.saved", { title: tool.title })) },
    );
  return (
    <div className="grid gap-5">
      <FieldList
        fields={[
          { label: t("tools.name"), value: tool.name },
          { label: t("tools.type"), value: [kindText(tool.kind), tool.source].filter(Boolean).join(" · ") },
          { label: t("tools.level"), value: t(`level.${tool.level}`) },
          { label: t("tools.version"), value: String(tool.version) },
        ]}
      />
      {tool.agents.length > 0 ? (
        <p className="text-ink-2">
          {t("tools.usedBy", { count: tool.agents.length })}{" "}
          <Link to="/agents" className="text-accent-text underline underline-offset-2">
            {tool.agents.join(", ")}
          </Link>
        </p>
      ) : null}
      <section className="grid gap-2">
        <h3 className="font-medium text-small">{t("tools.whatModelSees")}</h3>
        <p className="whitespace-pre-wrap rounded-lg bg-sunken px-3 py-2">{tool.description}</p>
      </section>
      <section className="grid gap-2">
        <h3 className="font-medium text-small">{t("form.arguments")}</h3>
        <SchemaTable schema={tool.inputSchema} />
      </section>
      <section className="grid gap-2">
        <h3 className="font-medium text-small">{t("tools.rawSchema")}</h3>
        <JsonView
          value={JSON.parse(JSON.stringify(tool.inputSchema))}
          numbers
          label={t("tools.rawSchema")}
          className="max-h-80"
        />
      </section>
      {tool.mayEdit ? (
        <section className="grid gap-4 border-line border-t pt-5">
          <SaveError error={patch.error} />
          <SettingsForm
            key={JSON.stringify([tool.file, tool.composer, tool.settings])}
            tool={tool}
            isSaving={patch.isPending}
            onSave={tool.file ? null : save}
          />
        </section>
      ) : null}
    </div>
  );
}
