import { useInfiniteQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useRef } from "react";
import type { DeliveryFilter } from "@/api/event-search";
import { deliveriesQuery } from "@/api/events";
import { MoreButton } from "@/components/more-button";
import { Empty, Failed, Loading } from "@/components/page-state";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { DeliveryTable } from "./delivery-table";
import { useDead } from "./use-dead";

/** What was sent to subscribers, or is to be, newest first. */
export function DeliveryList({ filter }: { filter: DeliveryFilter }) {
  const region = useRef<HTMLDivElement>(null);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...deliveriesQuery(filter),
    // Who has read on is not made to read everything again.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) > 1 ? false : 5_000),
  });
  // The button that had the focus goes with what failed.
  const dead = useDead(() => region.current?.focus());
  const deliveries = data?.pages.flatMap((page) => page.items);
  const isFiltered = Boolean(filter.status || filter.subscriberId);
  return (
    <div ref={region} tabIndex={-1} className="min-h-0 flex-1 overflow-y-auto outline-none">
      {dead.isError ? (
        <p role="alert" className="border-line border-b bg-danger-soft px-4 py-2 text-danger">
          {errorText(dead.error)}
        </p>
      ) : null}
      {error ? <Failed text={errorText(error)} onRetry={() => void refetch()} /> : null}
      {deliveries || error ? null : <Loading />}
      {deliveries?.length === 0 ? (
        <Empty
          icon={<Send aria-hidden />}
          title={isFiltered ? t("events.noneMatch") : t("events.noDeliveries")}
          text={isFiltered ? t("events.noneMatchText") : t("events.noDeliveriesText")}
        />
      ) : null}
      {deliveries && deliveries.length > 0 ? (
        <DeliveryTable
          deliveries={deliveries}
          isBusy={dead.isPending}
          onDead={(delivery, action) => dead.mutate({ delivery, action })}
        />
      ) : null}
      <MoreButton
        hasNextPage={hasNextPage}
        isFetchingNextPage={isFetchingNextPage}
        fetchNextPage={fetchNextPage}
      />
    </div>
  );
}
