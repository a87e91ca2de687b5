import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { ScrollText } from "lucide-react";
import { callsQuery } from "@/api/calls";
import { toolsQuery } from "@/api/tools";
import { callStatuses, statusText } from "@/components/call/call-status";
import { Select } from "@/components/field";
import { MoreButton } from "@/components/more-button";
import { PageHeader } from "@/components/page-header";
import { Empty, Failed, Loading } from "@/components/page-state";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { CallTable } from "./call-table";

type Filter = { status?: string; tool?: string };

/** Every call of every kind, refused ones included; opens to one call's whole story. */
export function CallsPage({ filter, onFilter }: { filter: Filter; onFilter: (filter: Filter) => void }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...callsQuery(filter),
    refetchInterval: 10_000,
  });
  const { data: tools = [] } = useQuery(toolsQuery);
  const calls = data?.pages.flatMap((page) => page.items);
  const set = (change: Filter) => {
    const next = { ...filter, ...change };
    onFilter({ ...(next.status ? { status: next.status } : {}), ...(next.tool ? { tool: next.tool } : {}) });
  };
  return (
    <main id="main" className="flex min-h-0 flex-1 flex-col">
      <PageHeader title={t("nav.calls")}>
        <div className="flex gap-2">
          <Select
            aria-label={t("calls.filterStatus")}
            width="w-40 max-sm:w-36"
            value={filter.status ?? ""}
            onChange={(event) => set({ status: event.target.value })}
          >
            <option value="">{t("calls.anyStatus")}</option>
            {callStatuses.map((status) => (
              <option key={status} value={status}>
                {statusText(status)}
              </option>
            ))}
          </Select>
          <Select
            aria-label={t("calls.filterTool")}
            width="w-52 max-sm:w-36"
            value={filter.tool ?? ""}
            onChange={(event) => set({ tool: event.target.value })}
          >
            <option value="">{t("calls.anyTool")}</option>
            {tools.map((tool) => (
              <option key={tool.name} value={tool.name}>
                {tool.title}
              </option>
            ))}
          </Select>
        </div>
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {error ? <Failed text={errorText(error)} onRetry={() => void refetch()} /> : null}
        {calls || error ? null : <Loading />}
        {calls?.length === 0 ? (
          <Empty icon={<ScrollText aria-hidden />} title={t("calls.none")} text={t("calls.noneText")} />
        ) : null}
        {calls && calls.length > 0 ? <CallTable calls={calls} filter={filter} /> : null}
        <MoreButton
          hasNextPage={hasNextPage}
          isFetchingNextPage={isFetchingNextPage}
          fetchNextPage={fetchNextPage}
        />
      </div>
      <Outlet />
    </main>
  );
}
