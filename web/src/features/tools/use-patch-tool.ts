import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/client";
import { patchTool, toolsQuery } from "@/api/tools";
import type { Tool, ToolPatch } from "@/api/types";
import { announce } from "@/lib/announce";
import { errorText } from "@/lib/error-text";

/** Changes a tool; when it was changed elsewhere in between, reads it again instead. */
export function usePatchTool() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ tool, patch }: { tool: Tool; patch: ToolPatch }) => patchTool(tool, patch),
    onSuccess: (next) => {
      client.setQueryData(["tools", next.name], next);
      client.setQueryData(toolsQuery.queryKey, (all) =>
        all?.map((each) => (each.name === next.name ? next : each)),
      );
    },
    onError: (error) => {
      announce(errorText(error));
      if (error instanceof ApiError && error.status === 412)
        void client.invalidateQueries({ queryKey: ["tools"] });
    },
  });
}
