import type { ReactNode } from "react";
import type { Tool } from "@/api/types";

/** What changes a tool: all of it is disabled while a file of the workspace says how the tool is. */
export function Editable({ tool, children }: { tool: Tool; children: ReactNode }) {
  return (
    <fieldset disabled={Boolean(tool.file)} className="contents">
      {children}
    </fieldset>
  );
}
