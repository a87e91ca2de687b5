import { queryOptions } from "@tanstack/react-query";
import { request, requestAll } from "./client";
import type { Call, JsonObject, Tool, ToolPatch } from "./types";

export const toolsQuery = queryOptions({
  queryKey: ["tools"],
  queryFn: ({ signal }) => requestAll<Tool>("/api/tools?limit=200", signal),
  staleTime: 15_000,
});

export const toolQuery = (name: string) =>
  queryOptions({
    queryKey: ["tools", name],
    queryFn: ({ signal }) => request<Tool>(`/api/tools/${encodeURIComponent(name)}`, { signal }),
  });

export const patchTool = (tool: Tool, patch: ToolPatch) =>
  request<Tool>(`/api/tools/${encodeURIComponent(tool.name)}`, {
    method: "PATCH",
    body: patch,
    headers: { "if-match": `"${tool.version}"` },
  });

export async function callTool(name: string, args: JsonObject, conversationId?: string): Promise<Call> {
  const body = conversationId ? { arguments: args, conversationId } : { arguments: args };
  const path = `/api/tools/${encodeURIComponent(name)}/call`;
  return (await request<{ call: Call }>(path, { method: "POST", body })).call;
}
