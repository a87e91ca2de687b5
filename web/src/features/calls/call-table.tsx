import { Link } from "@tanstack/react-router";
import type { Call } from "@/api/types";
import { Badge } from "@/components/badge";
import { statusText, statusTone } from "@/components/call/call-status";
import { ColumnHeading } from "@/components/column-heading";
import { duration, longTime, shortTime } from "@/lib/format";
import { t } from "@/lib/t";

type Props = { calls: Call[]; filter: { status?: string; tool?: string } };

export function CallTable({ calls, filter }: Props) {
  return (
    <table className="w-full table-fixed border-collapse">
      <thead>
        <tr className="h-8 border-line border-b text-ink-2 text-small">
          <ColumnHeading className="ps-4">{t("calls.call")}</ColumnHeading>
          <ColumnHeading className="w-36">{t("calls.status")}</ColumnHeading>
          <ColumnHeading className="w-44 max-lg:hidden">{t("calls.tool")}</ColumnHeading>
          <ColumnHeading className="w-36 max-md:hidden">{t("calls.askedBy")}</ColumnHeading>
          <ColumnHeading end className="w-24 max-sm:hidden">
            {t("calls.took")}
          </ColumnHeading>
          <ColumnHeading end className="w-28 pe-4">
            {t("calls.when")}
          </ColumnHeading>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <tr key={call.id} className="relative h-row border-line border-b hover:bg-rail">
            <td className="truncate ps-4 pe-3 font-medium">
              <Link
                to="/calls/$id"
                params={{ id: call.id }}
                search={filter}
                className="before:absolute before:inset-0"
                title={call.error ?? call.title}
              >
                {call.title}
              </Link>
            </td>
            <td>
              <span className="flex gap-1">
                <Badge tone={statusTone(call.status)}>{statusText(call.status)}</Badge>
                {call.trial ? <Badge>{t("trial.badge")}</Badge> : null}
              </span>
            </td>
            <td className="truncate pe-3 font-mono text-ink-2 text-meta max-lg:hidden">{call.tool}</td>
            <td className="truncate pe-3 text-ink-2 max-md:hidden">
              {call.agent
                ? t("calls.whoThrough", { who: call.asker.name, agent: call.agent })
                : call.asker.name}
            </td>
            <td className="text-end text-ink-2 tabular-nums max-sm:hidden">
              {call.durationMs === null ? "–" : duration(call.durationMs)}
            </td>
            <td className="pe-4 text-end text-ink-2 tabular-nums">
              <time dateTime={call.startedAt} title={longTime(call.startedAt)}>
                {shortTime(call.startedAt)}
              </time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
