import { useQuery } from "@tanstack/react-query";
import { Gauge } from "lucide-react";
import { allowanceQuery } from "@/api/usage";
import { ShareBar } from "@/components/share-bar";
import { cx } from "@/lib/cx";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { allowanceText, isUsedUp } from "./allowance-text";

/** What the reader may use, and has used this month. */
export function AllowanceStrip() {
  const { data: allowance, error } = useQuery(allowanceQuery);
  const isOver = allowance !== undefined && isUsedUp(allowance);
  const most = allowance?.monthlyTokens ?? null;
  return (
    <section
      aria-label={t("usage.allowance")}
      className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-4 py-2"
    >
      <Gauge aria-hidden className={cx("size-4 shrink-0", isOver ? "text-danger" : "text-ink-3")} />
      <p className={cx("min-w-0 flex-1 basis-40 tabular-nums", isOver ? "text-danger" : "text-ink-2")}>
        {allowance ? allowanceText(allowance) : error ? null : t("state.loading")}
        {error && !allowance ? <span className="text-danger">{errorText(error)}</span> : null}
      </p>
      {allowance && most !== null ? (
        <div className="w-48 max-sm:w-full">
          <ShareBar share={most === 0 ? 1 : allowance.usedTokens / most} isOver={isOver} />
        </div>
      ) : null}
    </section>
  );
}
