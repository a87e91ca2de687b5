import { useNavigate, useParams } from "@tanstack/react-router";
import { EditModelPage } from "@/features/data/edit-model-page";

export function EditModelRoute() {
  const { name } = useParams({ from: "/signed-in/data/$name/edit" });
  const navigate = useNavigate();
  return (
    <EditModelPage
      key={name}
      name={name}
      onSaved={(next) => void navigate({ to: "/data/$name", params: { name: next }, ignoreBlocker: true })}
      onCancel={() => void navigate({ to: "/data/$name", params: { name } })}
    />
  );
}
