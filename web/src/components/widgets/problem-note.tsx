import { TriangleAlert } from "lucide-react";
import { t } from "@/lib/t";
import type { Column, Problem } from "@/widgets/spec";

type Props = { problem: Problem; columns: Column[] };

/** Says why the rows are a table and not what was asked for. */
export function ProblemNote({ problem, columns }: Props) {
  return (
    <p className="flex items-start gap-2 bg-ask-soft px-3.5 py-2 text-ask">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">{textOf(problem, columns)}</span>
    </p>
  );
}

const quoted = (names: string[]): string => names.map((name) => `“${name}”`).join(", ");

function textOf(problem: Problem, columns: Column[]): string {
  switch (problem.kind) {
    case "unknown-widget":
      return t("widget.unknownWidget", { widget: problem.widget });
    case "unknown-columns":
      return t("widget.unknownColumns", {
        names: quoted(problem.names),
        columns: quoted(columns.map((each) => each.name)),
      });
    case "props":
      return t("widget.badProp", { path: problem.path, rule: problem.rule });
  }
}
