import { useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import { useMemo } from "react";
import { type Days, usedQuery } from "@/api/usage";
import type { UsageSearch } from "@/api/usage-search";
import { Empty, Failed, Loading } from "@/components/page-state";
import { WidgetView } from "@/components/widgets/widget-view";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { chartOf } from "./chart-data";
import { groupsOf, sumOf } from "./group";
import { UsedTable } from "./used-table";
import { UsedTotals } from "./used-totals";

type Props = { search: UsageSearch; days: Days };

/** What was used on some days: altogether, over time, and by what it is to be put together. */
export function UsedList({ search, days: { from, to } }: Props) {
  const isSound = from <= to;
  const {
    data: lines,
    error,
    refetch,
  } = useQuery({
    ...usedQuery({ from, to }, search.userId),
    enabled: isSound,
  });
  const by = search.by ?? "day";
  const groups = useMemo(() => groupsOf(lines ?? [], by), [lines, by]);
  const chart = useMemo(() => chartOf(lines ?? [], { from, to }), [lines, from, to]);
  if (!isSound) return null;
  if (error && !lines) return <Failed text={errorText(error)} onRetry={() => void refetch()} />;
  if (!lines) return <Loading />;
  if (lines.length === 0)
    return <Empty icon={<ChartColumn aria-hidden />} title={t("usage.none")} text={t("usage.noneText")} />;
  const total = sumOf(lines);
  return (
    <>
      <UsedTotals total={total} />
      {by === "day" ? (
        <div className="border-line border-b p-4">
          <WidgetView output={chart} />
        </div>
      ) : null}
      <UsedTable by={by} groups={groups} total={total} search={search} />
      <p className="px-4 py-3 text-ink-3 text-small">{t("usage.inUtc")}</p>
    </>
  );
}
