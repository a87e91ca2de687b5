import type { Level } from "@/api/types";
import { Badge } from "@/components/badge";
import { t } from "@/lib/t";

const tones = { read_only: "plain", write: "accent", destructive: "danger" } as const;

export function LevelBadge({ level }: { level: Level }) {
  return <Badge tone={tones[level]}>{t(`level.${level}`)}</Badge>;
}
