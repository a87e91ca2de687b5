import type { Approval } from "@/api/types";
import { locale, t } from "@/lib/t";

const either = new Intl.ListFormat(locale, { type: "disjunction" });

/** Whom a card waits for that its reader can't decide. */
export function waitsFor({ approverRoles }: Pick<Approval, "approverRoles">): string {
  const roles = approverRoles.filter(Boolean);
  if (roles.length > 0) return t("approval.waitsForRole", { roles: either.format(roles) });
  // Two tools ask for it, and name no role in common.
  return approverRoles.length > 0 ? t("approval.nobodyDecides") : t("approval.waitingForOthers");
}
