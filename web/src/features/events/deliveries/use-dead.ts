import { useMutation, useQueryClient } from "@tanstack/react-query";
import { forgetDelivery, retryDelivery } from "@/api/events";
import type { Delivery } from "@/api/types";
import { announce } from "@/lib/announce";
import { t } from "@/lib/t";

export type DeadAction = "retry" | "forget";

/** What can be done with a delivery that failed for good: it is tried again, or forgotten. */
export function useDead(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ delivery: { id }, action }: { delivery: Delivery; action: DeadAction }) => {
      if (action === "retry") await retryDelivery(id);
      else await forgetDelivery(id);
    },
    onSuccess: (_, { action }) => {
      announce(action === "retry" ? t("events.retried", { count: 1 }) : t("events.forgotten"));
      onDone();
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ["events"] }),
  });
}
