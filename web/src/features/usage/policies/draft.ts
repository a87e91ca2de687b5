import type { PolicySubject, PolicySubjectKind, UsageLimits, UsagePolicy } from "@/api/types";
import { count } from "@/lib/format";
import { t } from "@/lib/t";

/** The limits of a policy, as they are typed. */
export type LimitsDraft = { tokens: string; messages: string };

/** A new policy, as it is typed. */
export type Draft = LimitsDraft & { kind: PolicySubjectKind; role: string; userId: string };

export const emptyDraft: Draft = { kind: "org", role: "", userId: "", tokens: "", messages: "" };

export const draftOf = ({ monthlyTokens, requestsPerMinute }: UsageLimits): LimitsDraft => ({
  tokens: monthlyTokens === null ? "" : count(monthlyTokens),
  messages: requestsPerMinute === null ? "" : count(requestsPerMinute),
});

/** A number as it is typed, with or without marks between the thousands; `undefined` where it is none. */
function limitOf(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === "") return null;
  if (!/^\d+$|^\d{1,3}(?:[.,'’\s]\d{3})+$/.test(text)) return undefined;
  const limit = Number(text.replace(/\D/g, ""));
  return Number.isSafeInteger(limit) ? limit : undefined;
}

/** A draft that is fit, as the server takes it. */
export const limitsOf = ({ tokens, messages }: LimitsDraft): UsageLimits => ({
  monthlyTokens: limitOf(tokens) ?? null,
  requestsPerMinute: limitOf(messages) ?? null,
});

export const isSame = (one: LimitsDraft, other: LimitsDraft): boolean =>
  sameLimit(one.tokens, other.tokens) && sameLimit(one.messages, other.messages);

const sameLimit = (one: string, other: string): boolean =>
  one === other || (limitOf(one) !== undefined && limitOf(one) === limitOf(other));

export type UnfitLimits = { tokens: string | null; messages: string | null };

/** What is not fit to be sent, in words; null where all is. */
export function unfitLimits({ tokens, messages }: LimitsDraft): UnfitLimits {
  const unfit = (typed: string) => (limitOf(typed) === undefined ? t("usage.limitUnfit") : null);
  if (limitOf(tokens) === null && limitOf(messages) === null)
    return { tokens: t("usage.limitsNeeded"), messages: null };
  return { tokens: unfit(tokens), messages: unfit(messages) };
}

export type Unfit = UnfitLimits & { kind: string | null; role: string | null; userId: string | null };

export const nothingUnfit: Unfit = { kind: null, role: null, userId: null, tokens: null, messages: null };

const LONGEST_ROLE = 100;

export function unfitOf(draft: Draft, known: UsagePolicy[]): Unfit {
  const { subjectKind, subject } = subjectOf(draft);
  const isTaken = known.some((each) => each.subjectKind === subjectKind && each.subject === subject);
  const unfit = { ...nothingUnfit, ...unfitLimits(draft) };
  switch (subjectKind) {
    case "org":
      return { ...unfit, kind: isTaken ? t("usage.orgTaken") : null };
    case "role":
      return { ...unfit, role: isTaken ? t("usage.roleTaken") : unfitRole(subject) };
    case "user":
      return {
        ...unfit,
        userId: isTaken ? t("usage.personTaken") : subject ? null : t("usage.personNeeded"),
      };
  }
}

function unfitRole(role: string): string | null {
  if (role === "") return t("usage.roleNeeded");
  return [...role].length > LONGEST_ROLE ? t("usage.roleLong") : null;
}

export const isFit = (unfit: UnfitLimits | Unfit): boolean =>
  Object.values(unfit).every((each) => each === null);

export function subjectOf({ kind, role, userId }: Draft): PolicySubject {
  return { subjectKind: kind, subject: { org: "", role: role.trim(), user: userId }[kind] };
}
