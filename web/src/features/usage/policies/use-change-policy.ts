import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/client";
import type { UsageLimits, UsagePolicy } from "@/api/types";
import { changePolicy, policiesQuery } from "@/api/usage";
import { announce } from "@/lib/announce";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";

type Change = { policy: UsagePolicy; limits: UsageLimits };

/** Changes how much a policy allows. `who` is what it is for, in the middle of a sentence. */
export function useChangePolicy(who: string) {
  const client = useQueryClient();
  const { queryKey } = policiesQuery;
  return useMutation({
    mutationFn: async ({ policy, limits }: Change) => {
      // A list that is being read already would put the version before in its place again.
      await client.cancelQueries({ queryKey });
      return changePolicy(policy, limits);
    },
    onSuccess: (next) => {
      client.setQueryData(queryKey, (all) => all?.map((each) => (each.id === next.id ? next : each)));
      announce(t("usage.saved", { who }));
    },
    onError: (error) => announce(errorText(error)),
    onSettled: () => void client.invalidateQueries({ queryKey: ["usage"] }),
  });
}

/** Whether somebody else changed it in between, so that it has to be read again. */
export const isChangedElsewhere = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 412;
