import type { Origin } from "@/api/types";
import { Badge } from "@/components/badge";
import { t } from "@/lib/t";

export function OriginChip({ origin }: { origin: Origin }) {
  return <Badge tone={origin === "web" ? "accent" : "plain"}>{t(`data.origin.${origin}`)}</Badge>;
}

export function ReadOnlyChip() {
  return <Badge>{t("data.readOnly")}</Badge>;
}
