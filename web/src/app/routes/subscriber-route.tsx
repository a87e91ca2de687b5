import { useNavigate, useParams } from "@tanstack/react-router";
import { SubscriberDrawer } from "@/features/events/subscribers/subscriber-drawer";

export function SubscriberRoute() {
  const { subscriberId } = useParams({ from: "/signed-in/events/$subscriberId" });
  const navigate = useNavigate();
  return (
    <SubscriberDrawer key={subscriberId} id={subscriberId} onClose={() => void navigate({ to: "/events" })} />
  );
}
