import { useQueryClient } from "@tanstack/react-query";
import { subscribersQuery } from "@/api/events";
import type { Subscriber } from "@/api/types";
import { FormButtons } from "@/components/form-buttons";
import { SaveError } from "@/components/save-error";
import { StaleNote } from "@/components/stale-note";
import { t } from "@/lib/t";
import { draftOf, sentOf } from "./draft";
import { SubscriberFacts } from "./subscriber-facts";
import { SubscriberForm } from "./subscriber-form";
import { isChangedElsewhere, usePatchSubscriber } from "./use-patch-subscriber";
import { useSubscriberDraft } from "./use-subscriber-draft";
import { WebhookBar } from "./webhook-bar";

type Props = { subscriber: Subscriber; onClose: () => void };

/** A webhook, how it stands and how it is set up. */
export function WebhookEditor({ subscriber, onClose }: Props) {
  const client = useQueryClient();
  const { base, draft, isChanged, setDraft, restart } = useSubscriberDraft(subscriber);
  const patch = usePatchSubscriber();
  const isStale = isChangedElsewhere(patch.error);
  const save = () => {
    if (isChanged && !patch.isPending)
      patch.mutate({ subscriber: base, patch: sentOf(draft) }, { onSuccess: restart });
  };
  const reload = async () => {
    await client.refetchQueries({ queryKey: subscribersQuery.queryKey });
    const read = client.getQueryData(subscribersQuery.queryKey)?.find(({ id }) => id === base.id);
    if (read) restart(read);
    patch.reset();
  };
  return (
    <>
      <div className="grid min-h-0 flex-1 content-start gap-5 overflow-y-auto px-5 py-4">
        <SubscriberFacts subscriber={subscriber} />
        <div className="border-line border-t pt-5">
          <SubscriberForm label={base.name} draft={draft} onChange={setDraft} onSubmit={save}>
            {isStale ? (
              <StaleNote
                text={t("events.changedElsewhere")}
                action={t("events.reload")}
                onReload={() => void reload()}
              />
            ) : (
              <SaveError error={patch.error} />
            )}
            <FormButtons
              isChanged={isChanged}
              isSaving={patch.isPending}
              onDiscard={() => setDraft(draftOf(base))}
            />
          </SubscriberForm>
        </div>
      </div>
      <WebhookBar subscriber={subscriber} isChanged={isChanged} onDeleted={onClose} />
    </>
  );
}
