import { Link } from "@tanstack/react-router";
import type { Subscriber } from "@/api/types";
import { FieldList } from "@/components/field-list";
import { count, longTime } from "@/lib/format";
import { t } from "@/lib/t";
import { toolsText, yesNo } from "./tools-text";

/** How a subscriber stands; for one that is not changed here, also what it hears. */
export function SubscriberFacts({ subscriber }: { subscriber: Subscriber }) {
  const { id, kind, pre, post, createdAt, createdBy, lastError } = subscriber;
  const setUp = [
    { label: t("events.toolsLabel"), value: toolsText(subscriber) },
    { label: t("events.beforeLabel"), value: t(`events.pre.${pre}`) },
    { label: t("events.afterLabel"), value: yesNo(post) },
  ];
  return (
    <div className="grid gap-2">
      <FieldList
        fields={[
          ...(kind === "callback" ? setUp : []),
          { label: t("events.waiting"), value: count(subscriber.waiting) },
          { label: t("events.dead"), value: count(subscriber.dead) },
          ...(lastError ? [{ label: t("events.lastError"), value: lastError }] : []),
          ...(createdAt ? [{ label: t("events.addedBy"), value: addedText(createdAt, createdBy) }] : []),
        ]}
      />
      <p>
        <Link
          to="/events"
          search={{ view: "deliveries", subscriberId: id }}
          className="text-accent-text underline underline-offset-2"
        >
          {t("events.itsDeliveries")}
        </Link>
      </p>
    </div>
  );
}

function addedText(createdAt: string, who: string | null): string {
  const when = longTime(createdAt);
  return who ? t("events.addedByWhom", { when, who }) : when;
}
