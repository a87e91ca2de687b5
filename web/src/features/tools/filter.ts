import type { Tool } from "@/api/types";

export type ApprovalFilter = "any" | "asks" | "free";
type Filter = { query: string; kind: string; approval: ApprovalFilter };

export function filtered(tools: Tool[], { query, kind, approval }: Filter): Tool[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter((tool) => {
    if (kind && tool.kind !== kind) return false;
    if (approval !== "any" && tool.requiresApproval !== (approval === "asks")) return false;
    const text = `${tool.name} ${tool.title} ${tool.description} ${tool.source ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
