import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type DecisionTerms, decideApproval, getApproval } from "@/api/approvals";
import { ApiError } from "@/api/client";
import type { Approval, Call, Decision } from "@/api/types";
import { announce } from "@/lib/announce";
import { decidedText } from "./decided-text";

export type OnDecided = (approval: Approval, call: Call | null) => void;

/**
 * Decides an approval once. When somebody else was faster, the server says so: its text is kept
 * and the card shows what was decided.
 */
export function useDecision(given: Approval, onDecided: OnDecided | undefined) {
  const client = useQueryClient();
  const [newer, setNewer] = useState<Approval | null>(null);
  const approval = newer && given.status === "pending" ? newer : given;

  const settle = (next: Approval, call: Call | null) => {
    setNewer(next);
    onDecided?.(next, call);
    if (next.status !== "pending") announce(decidedText(next));
    for (const key of ["approvals", "conversations", "calls", "call", "setup", "grants"])
      void client.invalidateQueries({ queryKey: [key] });
  };

  const mutation = useMutation({
    mutationFn: ({ decision, terms }: { decision: Decision; terms: DecisionTerms }) =>
      decideApproval(approval, decision, terms),
    onSuccess: (result) => settle(result.approval, result.call),
    onError: async (error) => {
      if (!(error instanceof ApiError) || error.status !== 409) return;
      settle(await getApproval(approval.id), null);
    },
  });

  return {
    approval,
    busy: mutation.isPending,
    error: mutation.error,
    decide: (decision: Decision, terms: DecisionTerms = {}) => mutation.mutate({ decision, terms }),
  };
}
