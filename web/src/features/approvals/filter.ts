import type { Approval } from "@/api/types";

export const approvalFilters = ["all", "mine", "forMe"] as const;
export type ApprovalFilter = (typeof approvalFilters)[number];

/** What waits: all of it, what the reader asked for, or what is the reader's to decide. */
export function filtered(
  approvals: Approval[],
  filter: ApprovalFilter,
  reader: string | undefined,
): Approval[] {
  if (filter === "mine") return approvals.filter((approval) => approval.asker.id === reader);
  if (filter === "forMe") return approvals.filter((approval) => approval.mayDecide);
  return approvals;
}
