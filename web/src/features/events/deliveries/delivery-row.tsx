import { Link } from "@tanstack/react-router";
import type { Delivery } from "@/api/types";
import { Badge, type Tone } from "@/components/badge";
import { Button } from "@/components/button";
import { count, exactTime, fromNow, longTime } from "@/lib/format";
import { t } from "@/lib/t";
import type { DeadAction } from "./use-dead";

const tones: Record<Delivery["status"], Tone> = { waiting: "plain", delivered: "good", dead: "danger" };

type Props = {
  delivery: Delivery;
  isBusy: boolean;
  onDead: (delivery: Delivery, action: DeadAction) => void;
};

/** One delivery in a line; on a narrow screen when, to whom and why not stand below its tool. */
export function DeliveryRow({ delivery, isBusy, onDead }: Props) {
  const { tool, subscriber, status, createdAt, deliveredAt, error } = delivery;
  const moment = t(`events.event.${delivery.event}`);
  return (
    <tr className="relative h-row border-line border-b hover:bg-rail">
      <td className="ps-4 pe-3 text-ink-2 tabular-nums max-md:hidden">
        <time dateTime={createdAt} title={longTime(createdAt)}>
          {exactTime(createdAt)}
        </time>
      </td>
      <td className="pe-3 text-ink-2 max-md:hidden">{moment}</td>
      <td className="py-1 pe-3 max-md:ps-4">
        <Link
          to="/audit/$callId"
          params={{ callId: delivery.callId }}
          className="flex font-medium font-mono text-small before:absolute before:inset-0"
        >
          <span className="truncate">{tool}</span>
        </Link>
        <span className="block truncate text-ink-3 text-small md:hidden">
          {moment} · <time dateTime={createdAt}>{exactTime(createdAt)}</time>
        </span>
        <bdi className="block truncate text-ink-3 text-small lg:hidden">{subscriber}</bdi>
        {error ? <bdi className="block truncate text-ink-2 text-small xl:hidden">{error}</bdi> : null}
      </td>
      <td className="truncate pe-3 text-ink-2 max-lg:hidden">
        <bdi>{subscriber}</bdi>
      </td>
      <td className="pe-3 text-ink-2 max-xl:hidden" title={error ?? undefined}>
        <bdi className="block truncate">{error}</bdi>
      </td>
      <td className="text-end text-ink-2 tabular-nums max-lg:hidden">{count(delivery.attempts)}</td>
      <td className="truncate ps-6 pe-3 text-ink-2 max-lg:hidden">
        <NextAttempt delivery={delivery} />
      </td>
      <td className="py-1 pe-4 max-lg:ps-3">
        <span className="flex flex-wrap items-center gap-1.5">
          <span title={deliveredAt ? longTime(deliveredAt) : undefined}>
            <Badge tone={tones[status]}>{t(`events.status.${status}`)}</Badge>
          </span>
          {status === "dead" ? (
            <span className="relative flex flex-wrap gap-1.5">
              <Button
                size="sm"
                disabled={isBusy}
                aria-label={t("events.retryLabel", { tool, subscriber })}
                onClick={() => onDead(delivery, "retry")}
              >
                {t("events.retry")}
              </Button>
              <Button
                size="sm"
                disabled={isBusy}
                aria-label={t("events.forgetLabel", { tool, subscriber })}
                onClick={() => onDead(delivery, "forget")}
              >
                {t("events.forget")}
              </Button>
            </span>
          ) : null}
        </span>
      </td>
    </tr>
  );
}

function NextAttempt({ delivery: { status, nextAt } }: { delivery: Delivery }) {
  if (status !== "waiting" || nextAt === null) return "–";
  return (
    <time dateTime={nextAt} title={longTime(nextAt)}>
      {fromNow(nextAt, Math.min(Date.now(), Date.parse(nextAt)))}
    </time>
  );
}
