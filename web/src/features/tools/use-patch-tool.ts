import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/client";
import { patchTool, toolsQuery, toolVersionsQuery } from "@/api/tools";
import type { Tool, ToolPatch } from "@/api/types";
import { announce } from "@/lib/announce";
import { errorText } from "@/lib/error-text";

/** Changes a tool; when it was changed elsewhere in between, or a file says it now, reads it again instead. */
export function usePatchTool() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ tool, patch }: { tool: Tool; patch: ToolPatch }) => patchTool(tool, patch),
    onSuccess: (next) => takeTool(client, next),
    onError: (error) => takeToolError(client, error),
  });
}

/** Puts the next version of a tool in the place of the one before. */
export function takeTool(client: QueryClient, next: Tool): void {
  client.setQueryData(["tools", next.name], next);
  client.setQueryData(toolsQuery.queryKey, (all) =>
    all?.map((each) => (each.name === next.name ? next : each)),
  );
  void client.invalidateQueries({ queryKey: toolVersionsQuery(next.name).queryKey });
}

export function takeToolError(client: QueryClient, error: unknown): void {
  announce(errorText(error));
  if (error instanceof ApiError && (error.status === 412 || error.code === "file_owned"))
    void client.invalidateQueries({ queryKey: ["tools"] });
}
