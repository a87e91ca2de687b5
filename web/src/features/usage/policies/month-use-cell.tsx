import { ShareBar } from "@/components/share-bar";
import { cx } from "@/lib/cx";
import { count, percent } from "@/lib/format";
import { t } from "@/lib/t";
import type { MonthUse } from "./month-use";

type Props = {
  use: MonthUse;
  /** The limit; null where there is none, or one that does nothing. */
  most: number | null;
  className?: string;
};

/** How much of a limit is used. */
export function MonthUseCell({ use: { tokens, who }, most, className }: Props) {
  const isOver = most !== null && tokens >= most;
  return (
    <span className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <span className={cx("flex flex-wrap gap-x-2", isOver && "text-danger", className)}>
        {count(tokens)}
        {most ? <span className="font-medium">{percent(tokens / most)}</span> : null}
      </span>
      {most === null ? null : <ShareBar share={most === 0 ? 1 : tokens / most} isOver={isOver} />}
      {who ? <bdi className="truncate text-ink-3 text-small">{t("usage.mostByOne", { who })}</bdi> : null}
    </span>
  );
}
