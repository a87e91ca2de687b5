import type { Approval } from "@/api/types";
import { t } from "@/lib/t";
import { cardTitle } from "./card-title";

/** One line that says how an approval ended: "Approved by Ada: Update order SO-10482". */
export function decidedText(approval: Approval): string {
  const title = cardTitle(approval.card);
  const who = approval.decider?.name ?? t("approval.somebody");
  switch (approval.status) {
    case "approved":
      return approval.argumentsBefore === null
        ? t("approval.approvedBy", { who, title })
        : t("approval.approvedEditedBy", { who, title });
    case "rejected":
      return t("approval.rejectedBy", { who, title });
    case "change_requested":
      return t("approval.changeBy", { who, title });
    case "expired":
      return t("approval.expired", { title });
    case "superseded":
      return t("approval.superseded", { title });
    case "cancelled":
      return t("approval.cancelled", { title });
    case "pending":
      return t("approval.waits", { title });
  }
}
