import { Outlet } from "@tanstack/react-router";
import type { EventSearch } from "@/api/event-search";
import { OnlyFor } from "@/components/only-for";
import { DeliveryList } from "./deliveries/delivery-list";
import { EventsHeader } from "./events-header";
import { SubscriberList } from "./subscribers/subscriber-list";

type Props = { search: EventSearch; onSearch: (search: EventSearch) => void };

/** Who is told of calls or asked before them, and what is on its way to them. */
export function EventsPage({ search, onSearch }: Props) {
  return (
    <OnlyFor page="events">
      <main id="main" className="flex min-h-0 flex-1 flex-col">
        <EventsHeader search={search} onSearch={onSearch} />
        {search.view === "deliveries" ? <DeliveryList filter={search} /> : <SubscriberList />}
      </main>
      <Outlet />
    </OnlyFor>
  );
}
