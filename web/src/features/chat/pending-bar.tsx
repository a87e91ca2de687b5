import { ArrowDown, ShieldQuestion } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import type { Approval } from "@/api/types";
import { cardTitle } from "@/components/approval/card-title";
import { Button } from "@/components/button";
import { jumpToPendingCard, pendingCard } from "@/lib/pending-card";
import { t } from "@/lib/t";

type Props = { approval: Approval; region: RefObject<HTMLElement | null> };

/** Stands above the composer while the card that waits is out of sight. */
export function PendingBar({ approval, region }: Props) {
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    const card = region.current?.querySelector(`[data-approval="${CSS.escape(approval.id)}"]`);
    if (!card) return;
    const observer = new IntersectionObserver(([entry]) => setHidden(!entry?.isIntersecting), {
      root: region.current,
      threshold: 0.05,
    });
    observer.observe(card);
    return () => observer.disconnect();
  }, [approval.id, region]);
  if (!hidden || !region.current || !pendingCard(region.current)) return null;
  return (
    <div className="fade-in mb-2 flex items-center gap-2 rounded-lg border border-ask-line bg-ask-soft py-1 ps-3 pe-1 text-ask">
      <ShieldQuestion aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 truncate">
        <span className="font-medium text-ink">{cardTitle(approval.card)}</span> {t("approval.waitsBar")}
      </span>
      <Button
        variant="ghost"
        size="sm"
        aria-keyshortcuts="Alt+A"
        onClick={() => jumpToPendingCard(region.current ?? document)}
      >
        <ArrowDown aria-hidden />
        {t("approval.show")}
      </Button>
    </div>
  );
}
