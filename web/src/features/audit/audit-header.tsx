import { ListFilter } from "lucide-react";
import type { AuditFilter } from "@/api/audit-filter";
import { Button } from "@/components/button";
import { PageHeader } from "@/components/page-header";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import { ExportLinks } from "./list/export-links";
import { fieldCount } from "./list/field-count";
import { FILTERS } from "./list/filter-bar";
import { PausedSearch } from "./list/paused-search";

type Props = {
  filter: AuditFilter;
  /** Whether the other filters are in sight where the page is narrow. */
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  onChange: (change: AuditFilter) => void;
};

export function AuditHeader({ filter, isOpen, onOpen, onChange }: Props) {
  const isNotDone = filter.outcome === "notDone";
  const count = fieldCount(filter);
  return (
    <PageHeader title={t("nav.audit")}>
      <PausedSearch value={filter.text ?? ""} onChange={(text) => onChange({ text })} />
      <Button
        aria-pressed={isNotDone}
        className={cx("max-sm:order-1", isNotDone && "border-danger-line! bg-danger-soft! text-danger!")}
        onClick={() => onChange({ outcome: isNotDone ? "" : "notDone" })}
      >
        {t("audit.refusedOrFailed")}
      </Button>
      <Button
        className="max-sm:order-1 md:hidden"
        aria-expanded={isOpen}
        aria-controls={FILTERS}
        onClick={() => onOpen(!isOpen)}
      >
        <ListFilter aria-hidden />
        {count > 0 ? t("audit.filtersOn", { count }) : t("audit.filters")}
      </Button>
      <ExportLinks filter={filter} />
    </PageHeader>
  );
}
