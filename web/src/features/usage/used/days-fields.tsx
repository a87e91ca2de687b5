import { useId } from "react";
import type { Days } from "@/api/usage";
import type { UsageSearch } from "@/api/usage-search";
import { DayField } from "@/components/day-field";
import { t } from "@/lib/t";

type Props = { search: UsageSearch; days: Days; onSearch: (search: UsageSearch) => void };

/** The first and the last day that are looked at. */
export function DaysFields({ search, days, onSearch }: Props) {
  const id = useId();
  const { from, to, ...rest } = search;
  const isUnfit = days.from > days.to;
  const set = (change: { from?: string; to?: string }) => {
    const next = { from: from ?? "", to: to ?? "", ...change };
    onSearch({ ...rest, ...(next.from ? { from: next.from } : {}), ...(next.to ? { to: next.to } : {}) });
  };
  const shared = { isUnfit, describedBy: isUnfit ? id : undefined };
  return (
    <span className="flex flex-wrap items-center gap-2">
      <DayField label={t("usage.from")} value={from} onChange={(day) => set({ from: day })} {...shared} />
      <DayField label={t("usage.to")} value={to} onChange={(day) => set({ to: day })} {...shared} />
      {isUnfit ? (
        <span id={id} className="text-danger text-small">
          {t("usage.fromAfterTo")}
        </span>
      ) : null}
    </span>
  );
}
