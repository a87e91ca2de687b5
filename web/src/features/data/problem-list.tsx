import { t } from "@/lib/t";
import type { Problem } from "./editor/problems";
import { Ticked } from "./ticked";

type Props = {
  problems: Problem[];
  /** The words that stand before a problem and lead to its place; empty where there is none. */
  place: (problem: Problem) => string;
  onGo?: (problem: Problem) => void;
};

/** What stands against a change, each with a way to its place. */
export function ProblemList({ problems, place, onGo }: Props) {
  if (problems.length === 0) return null;
  return (
    <div role="alert" className="grid gap-1.5 rounded-lg border border-danger-line bg-danger-soft p-3">
      <p className="font-semibold text-danger">{t("data.problems", { count: problems.length })}</p>
      <ul className="grid gap-1">
        {problems.map((problem) => {
          const at = place(problem);
          return (
            <li key={`${at} ${problem.message}`} className="flex flex-wrap items-baseline gap-x-2">
              {at && onGo && problem.path === null ? (
                <button
                  type="button"
                  className="font-mono text-danger text-small underline underline-offset-2"
                  onClick={() => onGo(problem)}
                >
                  {at}
                </button>
              ) : null}
              {at && (!onGo || problem.path !== null) ? (
                <span className="font-mono text-danger text-small">{at}</span>
              ) : null}
              <span className="min-w-0 break-words">
                <Ticked text={problem.message} />
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
