import { useNavigate, useParams } from "@tanstack/react-router";
import { PolicyDrawer } from "@/features/usage/policies/policy-drawer";

export function PolicyRoute() {
  const { policyId } = useParams({ from: "/signed-in/usage/policies/$policyId" });
  const navigate = useNavigate();
  return (
    <PolicyDrawer key={policyId} id={policyId} onClose={() => void navigate({ to: "/usage/policies" })} />
  );
}
