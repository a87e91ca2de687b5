import { useMutation } from "@tanstack/react-query";
import { KeyRound, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import { testSubscriber } from "@/api/events";
import type { Subscriber } from "@/api/types";
import { Button } from "@/components/button";
import { Spinner } from "@/components/spinner";
import { t } from "@/lib/t";
import { DeleteDialog } from "./delete-dialog";
import { SecretDialog } from "./secret-dialog";
import { TestNote } from "./test-note";

type Props = { subscriber: Subscriber; isChanged: boolean; onDeleted: () => void };

/** What can be done with a webhook beside changing it. */
export function WebhookBar({ subscriber, isChanged, onDeleted }: Props) {
  const [asking, setAsking] = useState<"secret" | "delete" | null>(null);
  const test = useMutation({ mutationFn: () => testSubscriber(subscriber.id) });
  const close = () => setAsking(null);
  return (
    <footer className="grid shrink-0 gap-2 border-line border-t bg-rail px-5 py-2.5">
      <TestNote tested={test.data} error={test.error} isPending={test.isPending} />
      {isChanged ? <p className="text-ink-3">{t("events.testSaved")}</p> : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={isChanged || test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? <Spinner /> : <Send aria-hidden />}
          {t("events.test")}
        </Button>
        <Button onClick={() => setAsking("secret")}>
          <KeyRound aria-hidden />
          {t("events.newSecret")}
        </Button>
        <Button onClick={() => setAsking("delete")}>
          <Trash2 aria-hidden className="text-danger" />
          {t("events.delete")}
        </Button>
      </div>
      {asking === "secret" ? <SecretDialog subscriber={subscriber} onClose={close} /> : null}
      {asking === "delete" ? (
        <DeleteDialog subscriber={subscriber} onClose={close} onDeleted={onDeleted} />
      ) : null}
    </footer>
  );
}
