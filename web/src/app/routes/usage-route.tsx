import { useNavigate, useSearch } from "@tanstack/react-router";
import { UsedPage } from "@/features/usage/used-page";

export function UsageRoute() {
  const search = useSearch({ from: "/signed-in/usage" });
  const navigate = useNavigate();
  return (
    <UsedPage
      search={search}
      onSearch={(next) => void navigate({ to: "/usage", search: next, replace: true })}
    />
  );
}
