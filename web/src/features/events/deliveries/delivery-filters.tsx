import { useQuery } from "@tanstack/react-query";
import { type DeliveryFilter, deliveryStatuses } from "@/api/event-search";
import { subscribersQuery } from "@/api/events";
import { Button } from "@/components/button";
import { FilterSelect } from "@/components/filter-select";
import { t } from "@/lib/t";

type Props = { filter: DeliveryFilter; onChange: (filter: DeliveryFilter) => void };

/** Which deliveries are listed. */
export function DeliveryFilters({ filter: { status, subscriberId }, onChange }: Props) {
  const { data: subscribers = [] } = useQuery(subscribersQuery);
  const set = (change: { status?: string; subscriberId?: string }) => {
    const next = { status: status ?? "", subscriberId: subscriberId ?? "", ...change };
    const known = deliveryStatuses.find((each) => each === next.status);
    onChange({
      ...(known ? { status: known } : {}),
      ...(next.subscriberId ? { subscriberId: next.subscriberId } : {}),
    });
  };
  return (
    <div className="flex flex-wrap gap-2 max-sm:order-1">
      <FilterSelect
        label={t("events.status")}
        any={t("calls.anyStatus")}
        width="w-32 max-sm:w-28"
        value={status}
        options={deliveryStatuses.map((value) => ({ value, label: t(`events.status.${value}`) }))}
        onChange={(value) => set({ status: value })}
      />
      <FilterSelect
        label={t("events.subscriber")}
        any={t("events.anySubscriber")}
        width="w-44 max-sm:w-32"
        value={subscriberId}
        options={subscribers.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(value) => set({ subscriberId: value })}
      />
      {status || subscriberId ? (
        <Button variant="ghost" onClick={() => onChange({})}>
          {t("events.clear")}
        </Button>
      ) : null}
    </div>
  );
}
