import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { AuditDrawer } from "@/features/audit/story/audit-drawer";

export function AuditCallRoute() {
  const { callId } = useParams({ from: "/signed-in/audit/$callId" });
  const search = useSearch({ from: "/signed-in/audit" });
  const navigate = useNavigate();
  return <AuditDrawer key={callId} callId={callId} onClose={() => void navigate({ to: "/audit", search })} />;
}
