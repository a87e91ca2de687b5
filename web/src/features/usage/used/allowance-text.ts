import type { Allowance } from "@/api/types";
import { count, dayText } from "@/lib/format";
import { t } from "@/lib/t";

/** Whether the month is used up. */
export const isUsedUp = ({ monthlyTokens, usedTokens }: Allowance): boolean =>
  monthlyTokens !== null && usedTokens >= monthlyTokens;

/** What somebody may use and has used, in words for them. */
export function allowanceText(allowance: Allowance): string {
  const { requestsPerMinute } = allowance;
  const month = monthText(allowance);
  return requestsPerMinute === null
    ? month
    : `${month} ${t("usage.allowanceRate", { count: requestsPerMinute })}`;
}

function monthText(allowance: Allowance): string {
  const { monthlyTokens, usedTokens, renewsAt, requestsPerMinute } = allowance;
  const used = count(usedTokens);
  if (monthlyTokens === null)
    return requestsPerMinute === null
      ? t("usage.allowanceNone", { used })
      : t("usage.allowanceUsed", { used });
  const values = { used, most: count(monthlyTokens), day: dayText(renewsAt) };
  return isUsedUp(allowance) ? t("usage.allowanceOver", values) : t("usage.allowanceOf", values);
}
