import type { UsageLine, UsagePolicy } from "@/api/types";
import { t } from "@/lib/t";

/** How many tokens the person a policy is for used this month; for everybody, who used the most. */
export type MonthUse = { tokens: number; who: string | null };

/** None where it is not known: who has a role is not told. */
export function monthUse({ subjectKind, subject }: UsagePolicy, lines: UsageLine[]): MonthUse | null {
  if (subjectKind === "role") return null;
  const people = new Map<string, { tokens: number; who: string }>();
  for (const { userId, user, inputTokens, outputTokens } of lines) {
    const tokens = (people.get(userId)?.tokens ?? 0) + inputTokens + outputTokens;
    people.set(userId, { tokens, who: user || t("usage.unknownPerson") });
  }
  if (subjectKind === "user") return { tokens: people.get(subject)?.tokens ?? 0, who: null };
  const [most] = [...people.values()].sort((one, other) => other.tokens - one.tokens);
  return most ?? { tokens: 0, who: null };
}

/** Which limits of a policy do nothing, since everybody has more. */
export function outdone(
  policy: UsagePolicy,
  policies: UsagePolicy[],
): { tokens: boolean; messages: boolean } {
  const all = policies.find(({ subjectKind }) => subjectKind === "org");
  if (!all || all.id === policy.id) return { tokens: false, messages: false };
  const isLess = (mine: number | null, theirs: number | null) =>
    mine !== null && theirs !== null && mine < theirs;
  return {
    tokens: isLess(policy.monthlyTokens, all.monthlyTokens),
    messages: isLess(policy.requestsPerMinute, all.requestsPerMinute),
  };
}
