import { queryOptions } from "@tanstack/react-query";
import { requestAll } from "./client";
import type { Agent } from "./types";

export const agentsQuery = queryOptions({
  queryKey: ["agents"],
  queryFn: ({ signal }) => requestAll<Agent>("/api/agents", signal),
  staleTime: 30_000,
});
