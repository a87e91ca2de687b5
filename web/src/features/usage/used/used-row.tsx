import { Link } from "@tanstack/react-router";
import type { UsageGroup, UsageSearch } from "@/api/usage-search";
import { ShareBar } from "@/components/share-bar";
import { count, dayText, percent } from "@/lib/format";
import { t } from "@/lib/t";
import { type Group, tokensOf } from "./group";

type Props = {
  by: UsageGroup;
  group: Group;
  search: UsageSearch;
  /** How much it is of everything. */
  share: number;
  /** How long its bar is: that of the largest is as long as there is room. */
  length: number;
};

/** One day, person, agent or model in a line; on a narrow screen the other numbers stand below its name. */
export function UsedRow({ by, group, search, share, length }: Props) {
  const { requests, steps, inputTokens, outputTokens } = group;
  return (
    <tr className="relative h-row border-line border-b hover:bg-rail">
      <th scope="row" className="py-1 ps-4 pe-3 text-start font-normal">
        <Name by={by} group={group} search={search} />
        <span className="block truncate text-ink-3 text-small md:hidden">
          {t("usage.inRow", { messages: t("usage.messageCount", { count: requests }), steps })}
        </span>
      </th>
      <td className="text-end text-ink-2 tabular-nums max-md:hidden">{count(requests)}</td>
      <td className="text-end text-ink-2 tabular-nums max-md:hidden">{count(steps)}</td>
      <td className="text-end text-ink-2 tabular-nums max-lg:hidden">{count(inputTokens)}</td>
      <td className="text-end text-ink-2 tabular-nums max-lg:hidden">{count(outputTokens)}</td>
      <td className="text-end tabular-nums max-sm:pe-4">{count(tokensOf(group))}</td>
      <td className="ps-6 pe-4 max-sm:hidden">
        <span className="flex items-center gap-3">
          <span className="min-w-0 flex-1 max-xl:hidden">
            <ShareBar share={length} />
          </span>
          <span className="w-12 shrink-0 text-end text-ink-2 tabular-nums max-xl:ms-auto">
            {percent(share)}
          </span>
        </span>
      </td>
    </tr>
  );
}

/** What it is of. That of a person leads to their days. */
function Name({ by, group: { key, name }, search }: Pick<Props, "by" | "group" | "search">) {
  if (by === "day") return <time dateTime={key}>{dayText(key)}</time>;
  if (by === "agent" || by === "model")
    return <bdi className="block truncate font-mono text-small">{name}</bdi>;
  const { by: _, ...rest } = search;
  return (
    <Link
      to="/usage"
      search={{ ...rest, userId: key }}
      className="flex min-w-0 font-medium before:absolute before:inset-0"
    >
      <bdi className="truncate">{name || t("usage.unknownPerson")}</bdi>
    </Link>
  );
}
