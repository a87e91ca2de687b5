import { useNavigate } from "@tanstack/react-router";
import { NewPolicyDrawer } from "@/features/usage/policies/new-policy-drawer";

export function NewPolicyRoute() {
  const navigate = useNavigate();
  return <NewPolicyDrawer onClose={() => void navigate({ to: "/usage/policies" })} />;
}
