import { queryOptions } from "@tanstack/react-query";
import { request, requestAll } from "./client";
import type { Approval, Call, Decision, GrantKind, JsonObject } from "./types";

export const pendingApprovalsQuery = queryOptions({
  queryKey: ["approvals", "pending"],
  queryFn: ({ signal }) => requestAll<Approval>("/api/approvals?status=pending", signal),
  refetchInterval: 10_000,
});

export const getApproval = (id: string) => request<Approval>(`/api/approvals/${encodeURIComponent(id)}`);

/** What goes with a decision: why, what it is approved with instead, which later calls it is for. */
export type DecisionTerms = { reason?: string; arguments?: JsonObject; grant?: GrantKind };

export const decideApproval = (approval: Approval, decision: Decision, terms: DecisionTerms) =>
  request<{ approval: Approval; call: Call }>(`/api/approvals/${encodeURIComponent(approval.id)}`, {
    method: "POST",
    body: { decision, argumentsHash: approval.argumentsHash, ...terms },
  });
