import type { UsagePolicy } from "@/api/types";
import { t } from "@/lib/t";
import { outdoneText } from "./limit-text";
import { monthUse, outdone } from "./month-use";
import { MonthUseCell } from "./month-use-cell";
import { useMonthLines } from "./use-month-lines";

type Props = { policy: UsagePolicy; policies: UsagePolicy[] };

/** What is used of a policy, and how it goes with the others. */
export function PolicyFacts({ policy, policies }: Props) {
  const lines = useMonthLines();
  const use = lines ? monthUse(policy, lines) : null;
  const idle = outdone(policy, policies);
  const idleText = outdoneText(idle);
  return (
    <div className="grid gap-4">
      {use ? (
        <dl className="grid gap-1">
          <dt className="text-ink-2">{t("usage.thisMonth")}</dt>
          <dd className="max-w-72 tabular-nums">
            <MonthUseCell use={use} most={idle.tokens ? null : policy.monthlyTokens} />
          </dd>
        </dl>
      ) : null}
      <p className="text-ink-2">{t("usage.explained")}</p>
      {idleText ? <p className="text-ask">{idleText}</p> : null}
    </div>
  );
}
