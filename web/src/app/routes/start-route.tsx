import { useSearch } from "@tanstack/react-router";
import { StartPage } from "@/features/chat/start-page";

export function StartRoute() {
  const { agent } = useSearch({ from: "/signed-in/chat/" });
  return <StartPage agent={agent} />;
}
