import type { Subscriber } from "@/api/types";
import { ColumnHeading } from "@/components/column-heading";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { SubscriberRow } from "./subscriber-row";
import { usePatchSubscriber } from "./use-patch-subscriber";

export function SubscriberTable({ subscribers }: { subscribers: Subscriber[] }) {
  const patch = usePatchSubscriber();
  // What was asked for stands here until the server has answered.
  const asked = patch.isPending ? patch.variables : null;
  return (
    <>
      {patch.isError ? (
        <p role="alert" className="border-line border-b bg-danger-soft px-4 py-2 text-danger">
          {errorText(patch.error)}
        </p>
      ) : null}
      <table className="w-full table-fixed border-collapse" aria-label={t("events.subscribers")}>
        <thead>
          <tr className="h-8 border-line border-b text-ink-2 text-small">
            <ColumnHeading className="ps-4">{t("events.subscriber")}</ColumnHeading>
            <ColumnHeading className="w-48 max-lg:hidden">{t("events.tools")}</ColumnHeading>
            <ColumnHeading className="w-24 max-md:hidden">{t("events.before")}</ColumnHeading>
            <ColumnHeading className="w-20 max-md:hidden">{t("events.after")}</ColumnHeading>
            <ColumnHeading end className="w-20 max-sm:w-16">
              {t("events.waiting")}
            </ColumnHeading>
            <ColumnHeading end className="w-20 max-sm:w-16">
              {t("events.dead")}
            </ColumnHeading>
            <ColumnHeading end className="w-20 pe-4 max-sm:w-16">
              {t("tools.on")}
            </ColumnHeading>
          </tr>
        </thead>
        <tbody>
          {subscribers.map((subscriber) => (
            <SubscriberRow
              key={subscriber.id}
              subscriber={subscriber}
              isOn={
                asked?.subscriber.id === subscriber.id && asked.patch.enabled !== undefined
                  ? asked.patch.enabled
                  : subscriber.enabled
              }
              onSwitch={(enabled) => {
                if (!patch.isPending) patch.mutate({ subscriber, patch: { enabled } });
              }}
            />
          ))}
        </tbody>
      </table>
    </>
  );
}
