import type { Grant } from "@/api/types";
import { t } from "@/lib/t";

/** What a decision for later calls covers: "update_record of order, by the agent shop, everywhere". */
export function grantText({ tool, scope, agent, conversationId }: Grant): string {
  const [model] = scope.split(":");
  return t("grants.sentence", {
    what: model ? t("grants.toolOf", { tool, model }) : tool,
    who: agent ? t("grants.byAgent", { agent }) : t("grants.byHand"),
    where: conversationId ? t("grants.inConversation") : t("grants.always"),
  });
}
