import type { AuditFilter } from "@/api/audit-filter";
import { Button } from "@/components/button";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import { FilterFields } from "./filter-fields";

export const FILTERS = "audit-filters";

type Props = {
  filter: AuditFilter;
  isOpen: boolean;
  onChange: (change: AuditFilter) => void;
  onClear: () => void;
};

/** Which calls are listed; a narrow page has them behind a button. */
export function FilterBar({ filter, isOpen, onChange, onClear }: Props) {
  return (
    <search
      id={FILTERS}
      aria-label={t("audit.filters")}
      className={cx(
        "flex shrink-0 flex-wrap items-center gap-2 border-line border-b px-4 py-2",
        !isOpen && "max-md:hidden",
      )}
    >
      <FilterFields filter={filter} onChange={onChange} />
      {Object.keys(filter).length > 0 ? (
        <Button variant="ghost" onClick={onClear}>
          {t("audit.clear")}
        </Button>
      ) : null}
    </search>
  );
}
