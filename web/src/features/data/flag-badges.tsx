import type { JsonObject } from "@/api/types";
import { Badge } from "@/components/badge";
import { t } from "@/lib/t";

const flags = ["required", "unique", "index", "sensitive", "read_only"] as const;

/** The rules of a field that are on. */
export function FlagBadges({ definition }: { definition: JsonObject }) {
  return flags
    .filter((flag) => definition[flag] === true)
    .map((flag) => (
      <Badge key={flag} tone={flag === "sensitive" ? "ask" : "plain"}>
        {t(`flag.${flag}`)}
      </Badge>
    ));
}
