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

type CallOptions = { conversationId?: string | undefined; trial?: boolean };

/** Calls a tool. A trial runs it as well, and undoes what it wrote. */
export async function callTool(name: string, args: JsonObject, options: CallOptions = {}): Promise<Call> {
  const { conversationId, trial } = options;
  const body = {
    arguments: args,
    ...(conversationId ? { conversationId } : {}),
    ...(trial ? { trial } : {}),
  };
  const path = `/api/tools/${encodeURIComponent(name)}/call`;
  return (await request<{ call: Call }>(path, { method: "POST", body })).call;
}
