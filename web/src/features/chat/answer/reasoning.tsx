import { t } from "@/lib/t";
import type { ProsePart } from "../stream/thread";

export function Reasoning({ part }: { part: ProsePart }) {
  return (
    <details className="text-ink-2">
      <summary className="w-fit rounded-sm">
        {part.streaming ? t("chat.thinking") : t("chat.thought")}
      </summary>
      <p className="mt-2 whitespace-pre-wrap border-line border-s ps-3">{part.text}</p>
    </details>
  );
}
