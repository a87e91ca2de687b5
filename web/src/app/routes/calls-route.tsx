import { useNavigate, useSearch } from "@tanstack/react-router";
import { CallsPage } from "@/features/calls/calls-page";

export function CallsRoute() {
  const search = useSearch({ from: "/signed-in/calls" });
  const navigate = useNavigate();
  return (
    <CallsPage
      filter={search}
      onFilter={(next) => void navigate({ to: "/calls", search: next, replace: true })}
    />
  );
}
