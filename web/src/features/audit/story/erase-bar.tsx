import { Eraser } from "lucide-react";
import { useState } from "react";
import type { AuditStory } from "@/api/types";
import { Button } from "@/components/button";
import { isUnfinished } from "@/components/call/call-status";
import { t } from "@/lib/t";
import { EraseDialog } from "./erase-dialog";

/** A way to erase what a call was asked with and what it answered. */
export function EraseBar({ story }: { story: AuditStory }) {
  const [isAsking, setAsking] = useState(false);
  const hasEnded = !isUnfinished(story.status);
  return (
    <footer className="flex shrink-0 flex-wrap items-center justify-end gap-x-3 gap-y-2 border-line border-t bg-rail px-5 py-2.5">
      {hasEnded ? null : <p className="min-w-0 flex-1 basis-56 text-ink-3">{t("audit.eraseEnded")}</p>}
      <Button disabled={!hasEnded} onClick={() => setAsking(true)}>
        <Eraser aria-hidden className="text-danger" />
        {t("audit.erase")}
      </Button>
      {isAsking ? <EraseDialog story={story} onClose={() => setAsking(false)} /> : null}
    </footer>
  );
}
