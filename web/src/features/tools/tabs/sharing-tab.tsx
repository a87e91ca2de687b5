import type { Tool } from "@/api/types";
import { ChipsInput } from "@/components/chips-input";
import { announce } from "@/lib/announce";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { usePatchTool } from "../use-patch-tool";

/** The roles that may call the tool: each change is saved at once, as the switches are. */
export function SharingTab({ tool }: { tool: Tool }) {
  const patch = usePatchTool();
  // What was asked for stands here until the server has answered.
  const roles = (patch.isPending ? patch.variables.patch.roles : null) ?? tool.roles;
  const save = (next: string[]) =>
    patch.mutate(
      { tool, patch: { roles: next } },
      { onSuccess: () => announce(t("tools.rolesSaved", { title: tool.title })) },
    );
  return (
    <div className="grid gap-4">
      <p className="text-ink-2">{roles.length === 0 ? t("tools.rolesEveryone") : t("tools.rolesSome")}</p>
      <ChipsInput
        label={t("tools.roles")}
        hint={t("tools.rolesHint")}
        placeholder={t("tools.rolePlaceholder")}
        values={roles}
        disabled={patch.isPending}
        onChange={save}
      />
      {patch.isError ? (
        <p role="alert" className="text-danger">
          {errorText(patch.error)}
        </p>
      ) : null}
    </div>
  );
}
