import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "@/api/agents";
import { auditPeopleQuery } from "@/api/audit";
import type { AuditFilter } from "@/api/audit-filter";
import { toolsQuery } from "@/api/tools";
import type { Via } from "@/api/types";
import { callStatuses, statusText } from "@/components/call/call-status";
import { DayField } from "@/components/day-field";
import { FilterSelect } from "@/components/filter-select";
import { personText } from "@/lib/person-text";
import { t } from "@/lib/t";

const ways = ["chat", "api", "cli"] as const satisfies Via[];

type Props = { filter: AuditFilter; onChange: (change: AuditFilter) => void };

export function FilterFields({ filter, onChange }: Props) {
  const { data: tools = [] } = useQuery(toolsQuery);
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: people = [] } = useQuery(auditPeopleQuery);
  return (
    <>
      <FilterSelect
        label={t("calls.filterStatus")}
        any={t("calls.anyStatus")}
        width="w-32"
        value={filter.status}
        options={callStatuses.map((status) => ({ value: status, label: statusText(status) }))}
        onChange={(status) => onChange({ status })}
      />
      <FilterSelect
        label={t("calls.filterTool")}
        any={t("calls.anyTool")}
        width="w-44"
        value={filter.tool}
        options={tools.map((tool) => ({ value: tool.name, label: tool.title }))}
        onChange={(tool) => onChange({ tool })}
      />
      <FilterSelect
        label={t("audit.person")}
        any={t("audit.anyPerson")}
        width="w-44"
        value={filter.userId}
        options={people.map((person) => ({ value: person.id, label: personText(person) }))}
        onChange={(userId) => onChange({ userId })}
      />
      <FilterSelect
        label={t("audit.agent")}
        any={t("audit.anyAgent")}
        width="w-32"
        value={filter.agent}
        options={agents.map((agent) => ({ value: agent.name, label: agent.title }))}
        onChange={(agent) => onChange({ agent })}
      />
      <FilterSelect
        label={t("audit.via")}
        any={t("audit.anyVia")}
        width="w-32"
        value={filter.via}
        options={ways.map((via) => ({ value: via, label: t(`via.${via}`) }))}
        onChange={(via) => onChange({ via })}
      />
      <span className="flex gap-2">
        <DayField label={t("audit.from")} value={filter.from} onChange={(from) => onChange({ from })} />
        <DayField label={t("audit.to")} value={filter.to} onChange={(to) => onChange({ to })} />
      </span>
    </>
  );
}
