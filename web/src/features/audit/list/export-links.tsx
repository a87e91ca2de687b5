import { Download } from "lucide-react";
import { auditExportPath } from "@/api/audit";
import type { AuditFilter } from "@/api/audit-filter";
import { buttonClass } from "@/components/button";
import { t } from "@/lib/t";

/** What is listed, as files to save. */
export function ExportLinks({ filter }: { filter: AuditFilter }) {
  return (
    <div className="ms-auto flex gap-2">
      <a
        download
        href={auditExportPath(filter, "csv")}
        aria-label={t("audit.exportCsvLabel")}
        className={buttonClass()}
      >
        <Download aria-hidden />
        {t("audit.exportCsv")}
      </a>
      <a
        download
        href={auditExportPath(filter, "jsonl")}
        aria-label={t("audit.exportJsonlLabel")}
        className={buttonClass()}
      >
        <Download aria-hidden />
        {t("audit.exportJsonl")}
      </a>
    </div>
  );
}
