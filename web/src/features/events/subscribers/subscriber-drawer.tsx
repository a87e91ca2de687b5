import { useQuery } from "@tanstack/react-query";
import { subscribersQuery } from "@/api/events";
import { Modal } from "@/components/modal";
import { Failed, Loading } from "@/components/page-state";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { SubscriberFacts } from "./subscriber-facts";
import { WebhookEditor } from "./webhook-editor";

/** One subscriber: how it stands, and for a webhook how it is set up. */
export function SubscriberDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(subscribersQuery);
  const subscriber = data?.find((each) => each.id === id);
  return (
    <Modal
      open
      onClose={onClose}
      title={subscriber?.name ?? t("events.subscriber")}
      description={subscriber ? (subscriber.url ?? t("events.callback")) : ""}
      place="end"
    >
      {error && !data ? <Failed text={errorText(error)} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <Loading />}
      {data && !subscriber ? <p className="px-5 py-4 text-ink-2">{t("events.missing")}</p> : null}
      {subscriber?.kind === "webhook" ? <WebhookEditor subscriber={subscriber} onClose={onClose} /> : null}
      {subscriber?.kind === "callback" ? (
        <div className="grid gap-4 overflow-y-auto px-5 py-4">
          <p className="text-ink-2">{t("events.callbackText")}</p>
          <SubscriberFacts subscriber={subscriber} />
        </div>
      ) : null}
    </Modal>
  );
}
