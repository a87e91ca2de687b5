import { useNavigate, useSearch } from "@tanstack/react-router";
import { AuditPage } from "@/features/audit/audit-page";

export function AuditRoute() {
  const search = useSearch({ from: "/signed-in/audit" });
  const navigate = useNavigate();
  return (
    <AuditPage
      filter={search}
      onFilter={(next) => void navigate({ to: "/audit", search: next, replace: true })}
    />
  );
}
