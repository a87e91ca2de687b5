import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "@/api/client";
import { patchSubscriber, subscribersQuery } from "@/api/events";
import type { Subscriber, SubscriberDraft } from "@/api/types";
import { announce } from "@/lib/announce";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";

type Change = { subscriber: Subscriber; patch: Partial<SubscriberDraft> };

/** Changes a webhook. */
export function usePatchSubscriber() {
  const client = useQueryClient();
  const { queryKey } = subscribersQuery;
  return useMutation({
    mutationFn: async ({ subscriber, patch }: Change) => {
      // A list that is being read already would put the version before in its place again.
      await client.cancelQueries({ queryKey });
      return patchSubscriber(subscriber, patch);
    },
    onSuccess: (next) => {
      client.setQueryData(queryKey, (all) => all?.map((each) => (each.id === next.id ? next : each)));
      announce(t("events.saved", { name: next.name }));
    },
    onError: (error) => announce(errorText(error)),
    onSettled: () => void client.invalidateQueries({ queryKey }),
  });
}

/** Whether somebody else changed it in between, so that it has to be read again. */
export const isChangedElsewhere = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 409 || error.status === 412);
