import { t } from "@/lib/t";

const texts: Record<string, () => string> = {
  audience: () => t("audience.label"),
  composer: () => t("tools.composer"),
  config: () => t("tools.config"),
  description: () => t("tools.description"),
  enabled: () => t("tools.enabled"),
  inputSchema: () => t("tools.rawSchema"),
  requiresApproval: () => t("tools.requiresApproval"),
  roles: () => t("tools.roles"),
  "settings.approval.approverRoles": () => t("terms.approverRoles"),
  "settings.approval.edit": () => t("terms.edit"),
  "settings.approval.fourEyes": () => t("terms.fourEyes"),
  "settings.approval.grants": () => t("terms.grants"),
  "settings.approval.lifetimeSeconds": () => t("tools.lifetimeSeconds"),
  "settings.buttonLabel": () => t("toolSettings.buttonLabel"),
  "settings.events.post": () => t("toolEvents.post"),
  "settings.events.pre": () => t("toolEvents.pre"),
  "settings.icon": () => t("tools.icon"),
  "settings.outputSchema": () => t("toolSettings.outputSchema"),
  "settings.timeoutMs": () => t("toolSettings.milliseconds"),
  title: () => t("tools.title"),
};

/** What a change is of, in words; the path itself where it is not known here. */
export const pathText = (path: string): string =>
  (Object.hasOwn(texts, path) ? texts[path] : undefined)?.() ?? path;
