import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { AuditFilter } from "@/api/audit-filter";
import type { Call } from "@/api/types";
import { Badge } from "@/components/badge";
import { statusText, statusTone } from "@/components/call/call-status";
import { duration, exactTime, longTime } from "@/lib/format";
import { t } from "@/lib/t";
import { reasonOf } from "../reason";

type Props = { call: Call; filter: AuditFilter };

/** One call in a line; on a narrow screen who and why stand below its title. */
export const AuditRow = memo(function AuditRow({ call, filter }: Props) {
  const reason = reasonOf(call);
  return (
    <tr className="relative h-row border-line border-b hover:bg-rail">
      <td className="ps-4 pe-3 text-ink-2 tabular-nums">
        <time dateTime={call.startedAt} title={longTime(call.startedAt)}>
          {exactTime(call.startedAt)}
        </time>
      </td>
      <td className="truncate pe-3 text-ink-2 max-md:hidden">{call.asker.name}</td>
      <td className="py-1 pe-3">
        <span className="flex items-baseline gap-2">
          <Link
            to="/audit/$callId"
            params={{ callId: call.id }}
            search={filter}
            className="flex min-w-0 font-medium before:absolute before:inset-0"
          >
            <bdi className="truncate">{call.title}</bdi>
          </Link>
          <span className="truncate font-mono text-ink-3 text-meta max-md:hidden">{call.tool}</span>
        </span>
        <span className="block truncate text-ink-3 text-small md:hidden">{call.asker.name}</span>
        {reason ? <bdi className="block truncate text-ink-2 text-small lg:hidden">{reason}</bdi> : null}
      </td>
      <td className="truncate pe-3 text-ink-2 max-xl:hidden">{call.agent ?? "–"}</td>
      <td className="truncate pe-3 text-ink-2 max-xl:hidden">{t(`via.${call.via}`)}</td>
      <td>
        <span className="flex flex-wrap gap-1">
          <Badge tone={statusTone(call.status)}>{statusText(call.status)}</Badge>
          {call.trial ? <Badge>{t("trial.badge")}</Badge> : null}
        </span>
      </td>
      <td className="text-end text-ink-2 tabular-nums max-lg:hidden">
        {call.durationMs === null ? "–" : duration(call.durationMs)}
      </td>
      <td className="ps-6 pe-4 text-ink-2 max-lg:hidden" title={reason || undefined}>
        <bdi className="block truncate">{reason}</bdi>
      </td>
    </tr>
  );
});
