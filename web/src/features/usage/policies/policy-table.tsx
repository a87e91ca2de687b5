import { useQuery } from "@tanstack/react-query";
import { auditPeopleQuery } from "@/api/audit";
import type { UsagePolicy } from "@/api/types";
import { ColumnHeading } from "@/components/column-heading";
import { t } from "@/lib/t";
import { monthUse, outdone } from "./month-use";
import { PolicyRow } from "./policy-row";
import { sorted, subjectText } from "./subject";
import { useMonthLines } from "./use-month-lines";

export function PolicyTable({ policies }: { policies: UsagePolicy[] }) {
  const { data: people } = useQuery(auditPeopleQuery);
  const lines = useMonthLines();
  // A person is not called gone before it is known who there is.
  if (!people) return null;
  return (
    <table
      className="w-full table-fixed border-collapse border-line border-t"
      aria-label={t("usage.policies")}
    >
      <thead>
        <tr className="h-8 border-line border-b text-ink-2 text-small">
          <ColumnHeading className="ps-4">{t("usage.forWhom")}</ColumnHeading>
          <ColumnHeading end className="w-40 max-sm:w-24">
            {t("usage.tokensLabel")}
          </ColumnHeading>
          <ColumnHeading end className="w-44 max-md:hidden">
            {t("usage.messagesLabel")}
          </ColumnHeading>
          <ColumnHeading end className="w-72 ps-6 pe-4 max-sm:w-32 max-lg:w-48 max-sm:ps-3">
            {t("usage.thisMonth")}
          </ColumnHeading>
        </tr>
      </thead>
      <tbody>
        {sorted(policies, people).map((policy) => (
          <PolicyRow
            key={policy.id}
            policy={policy}
            name={subjectText(policy, people)}
            use={lines ? monthUse(policy, lines) : null}
            outdone={outdone(policy, policies)}
          />
        ))}
      </tbody>
    </table>
  );
}
