import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { CallDrawer } from "@/features/calls/call-drawer";

export function CallRoute() {
  const { id } = useParams({ from: "/signed-in/calls/$id" });
  const search = useSearch({ from: "/signed-in/calls" });
  const navigate = useNavigate();
  return <CallDrawer id={id} onClose={() => void navigate({ to: "/calls", search })} />;
}
