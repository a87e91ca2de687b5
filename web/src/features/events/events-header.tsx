import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import type { EventSearch } from "@/api/event-search";
import { buttonClass } from "@/components/button";
import { PageHeader } from "@/components/page-header";
import { Segmented } from "@/components/segmented";
import { t } from "@/lib/t";
import { DeliveryFilters } from "./deliveries/delivery-filters";
import { RetryAll } from "./deliveries/retry-all";

type View = "subscribers" | "deliveries";
type Props = { search: EventSearch; onSearch: (search: EventSearch) => void };

export function EventsHeader({ search, onSearch }: Props) {
  const view: View = search.view ?? "subscribers";
  return (
    <PageHeader title={t("nav.events")}>
      <Segmented<View>
        label={t("events.view")}
        hideLabel
        value={view}
        options={[
          { value: "subscribers", label: t("events.subscribers") },
          { value: "deliveries", label: t("events.deliveries") },
        ]}
        onChange={(next) => onSearch(next === "deliveries" ? { view: next } : {})}
      />
      {view === "deliveries" ? (
        <>
          <DeliveryFilters
            filter={search}
            onChange={(filter) => onSearch({ ...filter, view: "deliveries" })}
          />
          <RetryAll subscriberId={search.subscriberId} />
        </>
      ) : (
        <Link to="/events/new" className={`ms-auto ${buttonClass("primary")}`}>
          <Plus aria-hidden />
          <span className="max-sm:sr-only">{t("events.add")}</span>
        </Link>
      )}
    </PageHeader>
  );
}
