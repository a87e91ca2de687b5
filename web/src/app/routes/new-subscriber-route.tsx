import { useNavigate } from "@tanstack/react-router";
import { NewSubscriberDrawer } from "@/features/events/subscribers/new-subscriber-drawer";

export function NewSubscriberRoute() {
  const navigate = useNavigate();
  return <NewSubscriberDrawer onClose={() => void navigate({ to: "/events" })} />;
}
