import { useQuery } from "@tanstack/react-query";
import { auditPeopleQuery } from "@/api/audit";
import type { Days } from "@/api/usage";
import {
  type UsageGroup,
  type UsageRange,
  type UsageSearch,
  usageGroups,
  usageRanges,
} from "@/api/usage-search";
import { FilterSelect } from "@/components/filter-select";
import { Segmented } from "@/components/segmented";
import { personText } from "@/lib/person-text";
import { t } from "@/lib/t";
import { DaysFields } from "./days-fields";

type Props = {
  search: UsageSearch;
  days: Days;
  /** Whether it is of everybody, so that people can be told apart. */
  isForAll: boolean;
  onSearch: (search: UsageSearch) => void;
};

/** Of which days it is, of whom, and by what it is put together. */
export function UsedBar({ search, days, isForAll, onSearch }: Props) {
  const { from, to, range, by, ...rest } = search;
  const setRange = (next: UsageRange) =>
    onSearch({
      ...rest,
      ...(by ? { by } : {}),
      ...(next === "days30" ? {} : { range: next }),
      // Other days begin with those that were looked at.
      ...(next === "dates" ? days : {}),
    });
  const setBy = (next: UsageGroup) => {
    const { by: _, ...others } = search;
    onSearch(next === "day" ? others : { ...others, by: next });
  };
  return (
    <search
      aria-label={t("usage.filters")}
      className="flex flex-wrap items-center gap-x-6 gap-y-2 border-line border-b px-4 py-2"
    >
      <Segmented<UsageRange>
        label={t("usage.dates")}
        hideLabel
        value={range ?? "days30"}
        options={usageRanges.map((value) => ({ value, label: t(`usage.range.${value}`) }))}
        onChange={setRange}
      />
      {range === "dates" ? <DaysFields search={search} days={days} onSearch={onSearch} /> : null}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 lg:ms-auto">
        {isForAll ? <PersonSelect search={search} onSearch={onSearch} /> : null}
        <Segmented<UsageGroup>
          label={t("usage.by")}
          isTight
          value={by ?? "day"}
          options={usageGroups
            .filter((value) => isForAll || value !== "user")
            .map((value) => ({ value, label: t(`usage.by.${value}`) }))}
          onChange={setBy}
        />
      </div>
    </search>
  );
}

function PersonSelect({ search, onSearch }: Pick<Props, "search" | "onSearch">) {
  const { data: people = [] } = useQuery(auditPeopleQuery);
  const { userId, ...rest } = search;
  return (
    <FilterSelect
      label={t("usage.person")}
      any={t("usage.everybody")}
      width="w-44"
      value={userId}
      options={people.map((person) => ({ value: person.id, label: personText(person) }))}
      onChange={(next) => onSearch(next ? { ...rest, userId: next } : rest)}
    />
  );
}
