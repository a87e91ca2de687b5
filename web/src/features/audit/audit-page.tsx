import { Outlet } from "@tanstack/react-router";
import { useState } from "react";
import { type AuditFilter, changedFilter } from "@/api/audit-filter";
import { OnlyFor } from "@/components/only-for";
import { AuditHeader } from "./audit-header";
import { ChainStrip } from "./chain/chain-strip";
import { AuditList } from "./list/audit-list";
import { FilterBar } from "./list/filter-bar";

type Props = { filter: AuditFilter; onFilter: (filter: AuditFilter) => void };

/** Every call of everybody in the organisation, and whether its record is whole. */
export function AuditPage({ filter, onFilter }: Props) {
  const [isOpen, setOpen] = useState(false);
  const change = (changed: AuditFilter) => onFilter(changedFilter(filter, changed));
  return (
    <OnlyFor page="audit">
      <main id="main" className="flex min-h-0 flex-1 flex-col max-md:block max-md:overflow-y-auto">
        <AuditHeader filter={filter} isOpen={isOpen} onOpen={setOpen} onChange={change} />
        <ChainStrip filter={filter} />
        <FilterBar filter={filter} isOpen={isOpen} onChange={change} onClear={() => onFilter({})} />
        <AuditList filter={filter} />
      </main>
      <Outlet />
    </OnlyFor>
  );
}
