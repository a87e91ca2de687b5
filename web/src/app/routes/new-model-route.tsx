import { useNavigate } from "@tanstack/react-router";
import { NewModelPage } from "@/features/data/new-model-page";

export function NewModelRoute() {
  const navigate = useNavigate();
  return (
    <NewModelPage
      onSaved={(name) => void navigate({ to: "/data/$name", params: { name }, ignoreBlocker: true })}
      onCancel={() => void navigate({ to: "/data" })}
    />
  );
}
