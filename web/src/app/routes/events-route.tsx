import { useNavigate, useSearch } from "@tanstack/react-router";
import { EventsPage } from "@/features/events/events-page";

export function EventsRoute() {
  const search = useSearch({ from: "/signed-in/events" });
  const navigate = useNavigate();
  return (
    <EventsPage
      search={search}
      onSearch={(next) => void navigate({ to: "/events", search: next, replace: true })}
    />
  );
}
