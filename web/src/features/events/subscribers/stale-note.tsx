import { RotateCw } from "lucide-react";
import { Button } from "@/components/button";
import { t } from "@/lib/t";

/** Says that somebody else changed the subscriber, and offers to read it again. */
export function StaleNote({ onReload }: { onReload: () => void }) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-lg border border-ask-line bg-ask-soft p-3 text-ask"
    >
      <p className="min-w-0 flex-1 basis-56">{t("events.changedElsewhere")}</p>
      <Button onClick={onReload}>
        <RotateCw aria-hidden />
        {t("events.reload")}
      </Button>
    </div>
  );
}
