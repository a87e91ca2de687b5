import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ChangeOptions } from "@/api/models";
import type { DocumentChange } from "@/api/types";
import { announce } from "@/lib/announce";
import { t } from "@/lib/t";
import { losesData } from "./editor/problems";

type Send = (options: ChangeOptions) => Promise<DocumentChange>;

export type ReviewedChange = {
  /** What the change does, once looked at. */
  review: DocumentChange | null;
  accepted: boolean;
  accept: (accepted: boolean) => void;
  mayApply: boolean;
  pending: "review" | "apply" | null;
  error: unknown;
  look: () => void;
  apply: () => void;
  /** Forgets the review: what is to be changed is something else now. */
  reset: () => void;
};

/** A change that is looked at first, and then made; made only with the word of the user where data is lost. */
export function useReviewedChange(send: Send, onApplied: (change: DocumentChange) => void): ReviewedChange {
  const client = useQueryClient();
  const [accepted, accept] = useState(false);
  const looking = useMutation({ mutationFn: () => send({ dryRun: true }) });
  const applying = useMutation({
    mutationFn: send,
    onSuccess: () => {
      for (const key of ["models", "tools", "agents", "setup"])
        void client.invalidateQueries({ queryKey: [key] });
    },
  });
  const review = looking.data ?? null;
  const loses = review !== null && review.losses.length > 0;
  const look = () => {
    accept(false);
    looking.mutate(undefined, {
      onSuccess: ({ steps, losses }) =>
        announce(t("data.reviewed", { steps: steps.length, losses: losses.length })),
    });
  };
  const apply = () =>
    applying.mutate(loses ? { allowDataLoss: true } : {}, {
      onSuccess: onApplied,
      // Records came in since the review: what is lost now has to be seen first.
      onError: (error) => (losesData(error) ? look() : undefined),
    });
  return {
    review,
    accepted,
    accept,
    mayApply: review !== null && (!loses || accepted),
    pending: looking.isPending ? "review" : applying.isPending ? "apply" : null,
    error: applying.error ?? looking.error,
    look: () => {
      applying.reset();
      look();
    },
    apply,
    reset: () => {
      accept(false);
      looking.reset();
      applying.reset();
    },
  };
}
