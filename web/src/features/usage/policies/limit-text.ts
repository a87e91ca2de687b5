import { count } from "@/lib/format";
import { t } from "@/lib/t";

export const limitText = (limit: number | null): string =>
  limit === null ? t("usage.noLimit") : count(limit);

/** Which limits do nothing, since everybody has more; empty where all do something. */
export function outdoneText({ tokens, messages }: { tokens: boolean; messages: boolean }): string {
  if (tokens && messages) return t("usage.outdone.both");
  if (tokens) return t("usage.outdone.tokens");
  return messages ? t("usage.outdone.messages") : "";
}
