import { useInfiniteQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { auditCallsQuery } from "@/api/audit";
import type { AuditFilter } from "@/api/audit-filter";
import { MoreButton } from "@/components/more-button";
import { Empty, Failed, Loading } from "@/components/page-state";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { AuditTable } from "./audit-table";

export function AuditList({ filter }: { filter: AuditFilter }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...auditCallsQuery(filter),
    // Who has read on is not made to read everything again.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) > 1 ? false : 10_000),
  });
  const calls = data?.pages.flatMap((page) => page.items);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <div className="md:min-h-0 md:flex-1 md:overflow-y-auto">
      {error ? <Failed text={errorText(error)} onRetry={() => void refetch()} /> : null}
      {calls || error ? null : <Loading />}
      {calls?.length === 0 ? (
        <Empty
          icon={<ShieldCheck aria-hidden />}
          title={isFiltered ? t("audit.noneMatch") : t("audit.none")}
          text={isFiltered ? t("audit.noneMatchText") : t("audit.noneText")}
        />
      ) : null}
      {calls && calls.length > 0 ? <AuditTable calls={calls} filter={filter} /> : null}
      <MoreButton
        hasNextPage={hasNextPage}
        isFetchingNextPage={isFetchingNextPage}
        fetchNextPage={fetchNextPage}
      />
    </div>
  );
}
