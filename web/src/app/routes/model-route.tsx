import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ModelDrawer } from "@/features/data/model-drawer";

export function ModelRoute() {
  const { name } = useParams({ from: "/signed-in/data/$name" });
  const { tab } = useSearch({ from: "/signed-in/data/$name" });
  const navigate = useNavigate();
  return (
    <ModelDrawer
      key={name}
      name={name}
      tab={tab}
      onTab={(next) =>
        void navigate({ to: "/data/$name", params: { name }, search: { tab: next }, replace: true })
      }
      onClose={() => void navigate({ to: "/data" })}
    />
  );
}
