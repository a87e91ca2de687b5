import { queryOptions } from "@tanstack/react-query";
import { request, requestAll } from "./client";
import type { Call, JsonObject, Tool, ToolPatch, ToolVersion } from "./types";

export const toolsQuery = queryOptions({
  queryKey: ["tools"],
  queryFn: ({ signal }) => requestAll<Tool>("/api/tools?limit=200", signal),
  staleTime: 15_000,
});

const at = (name: string) => `/api/tools/${encodeURIComponent(name)}`;

export const toolQuery = (name: string) =>
  queryOptions({
    queryKey: ["tools", name],
    queryFn: ({ signal }) => request<Tool>(at(name), { signal }),
  });

/** The version of a tool that a change is made to. */
const precondition = (tool: Tool) => ({ "if-match": `"${tool.version}"` });

export const patchTool = (tool: Tool, patch: ToolPatch) =>
  request<Tool>(at(tool.name), { method: "PATCH", body: patch, headers: precondition(tool) });

export const toolVersionsQuery = (name: string) =>
  queryOptions({
    queryKey: ["tools", name, "versions"],
    queryFn: async ({ signal }) =>
      (await request<{ items: ToolVersion[] }>(`${at(name)}/versions`, { signal })).items,
  });

/** Saves what was set at an earlier version once more, as the next one. */
export const restoreTool = (tool: Tool, version: number) =>
  request<Tool>(`${at(tool.name)}/versions/${version}/restore`, {
    method: "POST",
    headers: precondition(tool),
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
  return (await request<{ call: Call }>(`${at(name)}/call`, { method: "POST", body })).call;
}
