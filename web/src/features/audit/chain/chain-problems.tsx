import { Link } from "@tanstack/react-router";
import type { AuditFilter } from "@/api/audit-filter";
import type { ChainProblem } from "@/api/types";
import { t } from "@/lib/t";

const SHOWN = 100;

type Props = { problems: ChainProblem[]; filter: AuditFilter };

export function ChainProblems({ problems, filter }: Props) {
  const more = problems.length - SHOWN;
  return (
    <ul
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
      tabIndex={0}
      aria-label={t("audit.problemList")}
      className="grid max-h-56 gap-1 overflow-y-auto"
    >
      {problems.slice(0, SHOWN).map(({ seq, callId, message }) => (
        <li key={`${seq} ${callId} ${message}`} className="flex flex-wrap items-baseline gap-x-2">
          {seq === null ? null : (
            <span className="font-medium tabular-nums">{t("audit.seq", { n: seq })}</span>
          )}
          <span className="min-w-0 break-words">{message}</span>
          {callId ? (
            <Link
              to="/audit/$callId"
              params={{ callId }}
              search={filter}
              className="underline underline-offset-2"
            >
              {t("audit.callLink")}
            </Link>
          ) : null}
        </li>
      ))}
      {more > 0 ? <li>{t("audit.manyProblems", { count: more })}</li> : null}
    </ul>
  );
}
