import type { AuditFilter } from "@/api/audit-filter";
import type { Call } from "@/api/types";
import { ColumnHeading } from "@/components/column-heading";
import { t } from "@/lib/t";
import { AuditRow } from "./audit-row";

type Props = { calls: Call[]; filter: AuditFilter };

export function AuditTable({ calls, filter }: Props) {
  return (
    <table className="w-full table-fixed border-collapse" aria-label={t("nav.audit")}>
      <thead>
        <tr className="h-8 border-line border-b text-ink-2 text-small">
          <ColumnHeading className="w-44 ps-4 max-md:w-[6.5rem]">{t("calls.when")}</ColumnHeading>
          <ColumnHeading className="w-32 max-md:hidden">{t("audit.person")}</ColumnHeading>
          <ColumnHeading>{t("calls.call")}</ColumnHeading>
          <ColumnHeading className="w-28 max-xl:hidden">{t("audit.agent")}</ColumnHeading>
          <ColumnHeading className="w-32 max-xl:hidden">{t("audit.via")}</ColumnHeading>
          <ColumnHeading className="w-28 max-md:w-24">{t("calls.status")}</ColumnHeading>
          <ColumnHeading end className="w-20 max-lg:hidden">
            {t("calls.took")}
          </ColumnHeading>
          <ColumnHeading className="w-1/4 ps-6 pe-4 max-lg:hidden">{t("audit.why")}</ColumnHeading>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <AuditRow key={call.id} call={call} filter={filter} />
        ))}
      </tbody>
    </table>
  );
}
