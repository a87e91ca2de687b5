import { Link } from "@tanstack/react-router";
import type { UsagePolicy } from "@/api/types";
import { Badge } from "@/components/badge";
import { t } from "@/lib/t";
import { limitText, outdoneText } from "./limit-text";
import type { MonthUse, outdone } from "./month-use";
import { MonthUseCell } from "./month-use-cell";

type Props = {
  policy: UsagePolicy;
  name: string;
  use: MonthUse | null;
  outdone: ReturnType<typeof outdone>;
};

/** One policy in a line; below it which of its limits do nothing. */
export function PolicyRow({ policy, name, use, outdone }: Props) {
  const { id, subjectKind, monthlyTokens, requestsPerMinute } = policy;
  const idle = outdoneText(outdone);
  return (
    <tr className="relative h-row border-line border-b hover:bg-rail">
      <th scope="row" className="py-1.5 ps-4 pe-3 text-start font-normal">
        <span className="flex flex-wrap items-center gap-x-2">
          <Link
            to="/usage/policies/$policyId"
            params={{ policyId: id }}
            className="flex min-w-0 font-medium before:absolute before:inset-0"
          >
            <bdi className="truncate">{name}</bdi>
          </Link>
          {subjectKind === "role" ? <Badge>{t("usage.role")}</Badge> : null}
        </span>
        {requestsPerMinute === null ? null : (
          <span className="block truncate text-ink-3 text-small md:hidden">
            {t("usage.perMinute", { count: requestsPerMinute })}
          </span>
        )}
        {idle ? <span className="block text-ask text-small">{idle}</span> : null}
      </th>
      <td className="text-end tabular-nums">{limitText(monthlyTokens)}</td>
      <td className="text-end tabular-nums max-md:hidden">{limitText(requestsPerMinute)}</td>
      <td className="py-1.5 ps-6 pe-4 text-end text-ink-2 tabular-nums max-sm:ps-3">
        {use ? (
          <MonthUseCell use={use} most={outdone.tokens ? null : monthlyTokens} className="justify-end" />
        ) : (
          "–"
        )}
      </td>
    </tr>
  );
}
