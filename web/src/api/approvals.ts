import { queryOptions } from "@tanstack/react-query";
import { request, requestAll } from "./client";
import type { Approval, Call, Decision } from "./types";

export const pendingApprovalsQuery = queryOptions({
  queryKey: ["approvals", "pending"],
  queryFn: ({ signal }) => requestAll<Approval>("/api/approvals?status=pending", signal),
  refetchInterval: 10_000,
});

export const getApproval = (id: string) => request<Approval>(`/api/approvals/${encodeURIComponent(id)}`);

export const decideApproval = (approval: Approval, decision: Decision, reason: string) =>
  request<{ approval: Approval; call: Call }>(`/api/approvals/${encodeURIComponent(approval.id)}`, {
    method: "POST",
    body: { decision, argumentsHash: approval.argumentsHash, ...(reason ? { reason } : {}) },
  });
