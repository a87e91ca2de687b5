import type { Chain, Verification } from "@/api/types";
import { duration, fromNow } from "@/lib/format";
import { t } from "@/lib/t";

/** How far the chain goes: "Sealed to entry 12,345 · 3 not sealed yet · last sealed 2 seconds ago". */
export function chainText(chain: Chain, now: number): string {
  const { sealedTo, unsealed, sealedAt, prunedTo } = chain;
  const parts = [sealedTo > 0 ? t("audit.sealed", { n: sealedTo }) : t("audit.nothingSealed")];
  if (unsealed > 0) parts.push(t("audit.notSealed", { count: unsealed }));
  // The clock of the server may be ahead of this one; nothing is sealed in the future.
  if (sealedAt)
    parts.push(t("audit.sealedAgo", { when: fromNow(sealedAt, Math.max(now, Date.parse(sealedAt))) }));
  if (prunedTo !== null && prunedTo > 0) parts.push(t("audit.pruned", { n: prunedTo }));
  return parts.join(" · ");
}

/** What a check of the chain found, in a sentence. */
export function verifiedText(found: Verification): string {
  if (!found.ok) return t("audit.problems", { count: found.problems.length });
  return t("audit.whole", {
    entries: t("audit.wholeEntries", { count: found.entries }),
    segments: t("audit.wholeSegments", { count: found.segments }),
    took: duration(found.tookMs),
  });
}
