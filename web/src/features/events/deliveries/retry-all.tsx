import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { retryDeliveries, subscribersQuery } from "@/api/events";
import { Button } from "@/components/button";
import { Spinner } from "@/components/spinner";
import { announce } from "@/lib/announce";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";

/** Tries all that failed again: for the subscriber that is chosen, or for all of them. */
export function RetryAll({ subscriberId }: { subscriberId: string | undefined }) {
  const client = useQueryClient();
  const { data: subscribers = [] } = useQuery(subscribersQuery);
  const chosen = subscribers.filter(({ id }) => subscriberId === undefined || id === subscriberId);
  const hasDead = chosen.some(({ dead }) => dead > 0);
  const retry = useMutation({
    mutationFn: () => retryDeliveries(subscriberId),
    onSuccess: (count) => announce(t("events.retried", { count })),
    onSettled: () => void client.invalidateQueries({ queryKey: ["events"] }),
  });
  return (
    <div className="ms-auto flex min-w-0 items-center gap-3">
      {retry.isError ? (
        <p role="alert" className="min-w-0 text-danger">
          {errorText(retry.error)}
        </p>
      ) : null}
      <Button disabled={!hasDead || retry.isPending} onClick={() => retry.mutate()}>
        {retry.isPending ? <Spinner /> : <RotateCw aria-hidden />}
        <span className="max-sm:sr-only">{t("events.retryAll")}</span>
      </Button>
    </div>
  );
}
