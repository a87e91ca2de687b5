import { Link } from "@tanstack/react-router";
import type { Subscriber } from "@/api/types";
import { Badge } from "@/components/badge";
import { Toggle } from "@/components/toggle";
import { cx } from "@/lib/cx";
import { count } from "@/lib/format";
import { t } from "@/lib/t";
import { toolsText, yesNo } from "./tools-text";

type Props = { subscriber: Subscriber; isOn: boolean; onSwitch: (enabled: boolean) => void };

/** One subscriber in a line; below it what went wrong last. */
export function SubscriberRow({ subscriber, isOn, onSwitch }: Props) {
  const { id, kind, name, url, pre, lastError } = subscriber;
  return (
    <tr className={cx("relative h-row border-line border-b hover:bg-rail", !isOn && "text-ink-3")}>
      <td className="py-1 ps-4 pe-3">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <Link
            to="/events/$subscriberId"
            params={{ subscriberId: id }}
            className="flex min-w-0 font-medium before:absolute before:inset-0"
          >
            <bdi className="truncate">{name}</bdi>
          </Link>
          <bdi
            dir={url ? "ltr" : undefined}
            className={cx("min-w-0 truncate text-ink-3", url ? "font-mono text-meta" : "text-small")}
          >
            {url ?? t("events.callback")}
          </bdi>
        </span>
        <span className="block truncate text-ink-3 text-small md:hidden">
          {t("events.beforeAfter", { before: t(`events.pre.${pre}`), after: yesNo(subscriber.post) })}
        </span>
        {lastError ? (
          <bdi className="block truncate text-danger text-small" title={lastError}>
            {lastError}
          </bdi>
        ) : null}
      </td>
      <td className="pe-3 text-ink-2 max-lg:hidden" title={toolsText(subscriber)}>
        <bdi className="block truncate">{toolsText(subscriber)}</bdi>
      </td>
      <td className="pe-3 text-ink-2 max-md:hidden">
        {pre === "sync" ? <Badge tone="ask">{t("events.pre.sync")}</Badge> : t(`events.pre.${pre}`)}
      </td>
      <td className="pe-3 text-ink-2 max-md:hidden">{yesNo(subscriber.post)}</td>
      <td className="text-end text-ink-2 tabular-nums">
        <Count subscriber={subscriber} status="waiting" />
      </td>
      <td className="text-end text-ink-2 tabular-nums">
        <Count subscriber={subscriber} status="dead" />
      </td>
      <td className="pe-4">
        <span className="relative flex items-center justify-end">
          {kind === "webhook" ? (
            <Toggle checked={isOn} label={t("events.switch", { name })} onChange={onSwitch} />
          ) : (
            <span className="text-ink-3 text-small">{isOn ? t("tools.isOn") : t("tools.isOff")}</span>
          )}
        </span>
      </td>
    </tr>
  );
}

/** How many deliveries stand so, and the way to them. */
function Count({ subscriber, status }: { subscriber: Subscriber; status: "waiting" | "dead" }) {
  const { id, name } = subscriber;
  const n = subscriber[status];
  if (n === 0) return count(n);
  return (
    <Link
      to="/events"
      search={{ view: "deliveries", status, subscriberId: id }}
      aria-label={t(`events.${status}Link`, { count: n, name })}
      className={cx("relative underline underline-offset-2", status === "dead" && "text-danger")}
    >
      {count(n)}
    </Link>
  );
}
