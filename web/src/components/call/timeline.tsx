import type { CallEvent } from "@/api/types";
import { longTime } from "@/lib/format";
import { humanise } from "@/lib/labels";
import { t } from "@/lib/t";
import { isErasure } from "./erasure";

/** Every state that a call went through, with when, by whom and why. */
export function Timeline({ events }: { events: CallEvent[] }) {
  return (
    <ol className="ms-1 border-line border-s">
      {events.map((event, index) => (
        <li key={`${event.state}${event.at}`} className="relative grid gap-0.5 py-1.5 ps-4">
          <span
            aria-hidden
            className="absolute -start-[4.5px] top-3 size-2 rounded-full bg-field-line ring-2 ring-canvas"
          />
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">
              {isErasure(events, index) ? t("calls.payloadErased") : humanise(event.state)}
            </span>
            {event.by ? <span className="text-ink-2">{t("calls.by", { who: event.by })}</span> : null}
            <time dateTime={event.at} className="ms-auto text-ink-3 text-small tabular-nums">
              {longTime(event.at)}
            </time>
          </span>
          {event.reason ? <span className="break-words text-ink-2">{event.reason}</span> : null}
        </li>
      ))}
    </ol>
  );
}
