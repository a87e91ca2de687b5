import { FlaskConical } from "lucide-react";
import type { Trial } from "@/api/types";
import { CardBody } from "@/components/approval/card-body";
import { t } from "@/lib/t";

/** Says that a call was only tried, and what it would have changed. */
export function TrialNote({ trial }: { trial: Trial }) {
  const card = trial.wouldChange;
  return (
    <section className="grid gap-2.5 rounded-lg border border-line p-3" aria-label={t("trial.badge")}>
      <p className="flex items-center gap-2 font-medium">
        <FlaskConical aria-hidden className="size-4" />
        {t("trial.note")}
      </p>
      {card ? (
        <>
          <p className="text-ink-2">
            {t("trial.wouldChange")} <span className="font-medium text-ink">{card.title}</span>
          </p>
          <CardBody card={card} />
        </>
      ) : null}
    </section>
  );
}
