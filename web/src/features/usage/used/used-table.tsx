import type { UsageGroup, UsageSearch } from "@/api/usage-search";
import { ColumnHeading } from "@/components/column-heading";
import { count } from "@/lib/format";
import { t } from "@/lib/t";
import { type Counts, type Group, tokensOf } from "./group";
import { UsedRow } from "./used-row";

type Props = { by: UsageGroup; groups: Group[]; total: Counts; search: UsageSearch };

export function UsedTable({ by, groups, total, search }: Props) {
  const most = Math.max(...groups.map(tokensOf));
  return (
    <table className="w-full table-fixed border-collapse" aria-label={t("usage.used")}>
      <thead>
        <tr className="h-8 border-line border-b text-ink-2 text-small">
          <ColumnHeading className="ps-4">{t(`usage.${by === "user" ? "person" : by}`)}</ColumnHeading>
          <ColumnHeading end className="w-28 max-md:hidden">
            {t("usage.messages")}
          </ColumnHeading>
          <ColumnHeading end className="w-28 max-md:hidden">
            {t("usage.steps")}
          </ColumnHeading>
          <ColumnHeading end className="w-32 max-lg:hidden">
            {t("usage.input")}
          </ColumnHeading>
          <ColumnHeading end className="w-32 max-lg:hidden">
            {t("usage.output")}
          </ColumnHeading>
          <ColumnHeading end className="w-32 max-sm:w-28 max-sm:pe-4">
            {t("usage.tokens")}
          </ColumnHeading>
          <ColumnHeading end className="w-64 ps-6 pe-4 max-xl:w-40 max-sm:hidden">
            {t("usage.share")}
          </ColumnHeading>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <UsedRow
            key={group.key}
            by={by}
            group={group}
            search={search}
            share={tokensOf(group) / (tokensOf(total) || 1)}
            length={tokensOf(group) / (most || 1)}
          />
        ))}
      </tbody>
      <tfoot>
        <tr className="h-row border-line border-b bg-rail font-semibold tabular-nums">
          <th scope="row" className="ps-4 text-start font-semibold">
            {t("usage.total")}
          </th>
          <td className="text-end max-md:hidden">{count(total.requests)}</td>
          <td className="text-end max-md:hidden">{count(total.steps)}</td>
          <td className="text-end max-lg:hidden">{count(total.inputTokens)}</td>
          <td className="text-end max-lg:hidden">{count(total.outputTokens)}</td>
          <td className="text-end max-sm:pe-4">{count(tokensOf(total))}</td>
          <td className="max-sm:hidden" />
        </tr>
      </tfoot>
    </table>
  );
}
