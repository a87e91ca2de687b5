import type { Audience, Tool } from "@/api/types";
import { ChipsInput } from "@/components/chips-input";
import { SaveError } from "@/components/save-error";
import { announce } from "@/lib/announce";
import { t } from "@/lib/t";
import { Editable } from "../editable";
import { AudienceEditor } from "../sharing/audience-editor";
import { usePatchTool } from "../use-patch-tool";

/** Who sees the tool, and which roles may call it: each change is saved at once, as the switches are. */
export function SharingTab({ tool }: { tool: Tool }) {
  const patch = usePatchTool();
  // What was asked for stands here until the server has answered.
  const asked = patch.isPending ? patch.variables.patch : {};
  const roles = asked.roles ?? tool.roles;
  const audience = asked.audience === undefined ? tool.audience : asked.audience;
  const saveRoles = (next: string[]) =>
    patch.mutate(
      { tool, patch: { roles: next } },
      { onSuccess: () => announce(t("tools.rolesSaved", { title: tool.title })) },
    );
  const saveAudience = (next: Audience) =>
    patch.mutate(
      { tool, patch: { audience: next } },
      { onSuccess: () => announce(t("audience.saved", { title: tool.title })) },
    );
  return (
    <div className="grid gap-5">
      <SaveError error={patch.error} />
      <Editable tool={tool}>
        <AudienceEditor
          key={tool.file}
          audience={audience}
          isSaving={patch.isPending}
          onSave={saveAudience}
        />
        <section className="grid gap-4 border-line border-t pt-5">
          <p className="text-ink-2">{roles.length === 0 ? t("tools.rolesEveryone") : t("tools.rolesSome")}</p>
          <ChipsInput
            label={t("tools.roles")}
            hint={t("tools.rolesHint")}
            placeholder={t("tools.rolePlaceholder")}
            values={roles}
            disabled={patch.isPending}
            onChange={saveRoles}
          />
        </section>
      </Editable>
    </div>
  );
}
