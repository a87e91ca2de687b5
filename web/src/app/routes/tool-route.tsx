import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { ToolDrawer } from "@/features/tools/tool-drawer";

export function ToolRoute() {
  const { name } = useParams({ from: "/signed-in/tools/$name" });
  const { tab } = useSearch({ from: "/signed-in/tools/$name" });
  const navigate = useNavigate();
  return (
    <ToolDrawer
      key={name}
      name={name}
      tab={tab}
      onTab={(next) =>
        void navigate({ to: "/tools/$name", params: { name }, search: { tab: next }, replace: true })
      }
      onClose={() => void navigate({ to: "/tools" })}
    />
  );
}
