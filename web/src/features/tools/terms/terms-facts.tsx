import type { ApprovalTerms } from "@/api/types";
import { FieldList } from "@/components/field-list";
import { t } from "@/lib/t";
import { hoursOf } from "./terms";

const yesNo = (value: boolean): string => (value ? t("terms.yes") : t("terms.no"));

/** The terms of a tool, for those who may not change them. */
export function TermsFacts({ terms }: { terms: ApprovalTerms }) {
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">{t("terms.title")}</h3>
      <FieldList
        fields={[
          { label: t("terms.approverRoles"), value: terms.approverRoles.join(", ") || t("terms.whoAsked") },
          { label: t("terms.fourEyes"), value: yesNo(terms.fourEyes) },
          { label: t("terms.edit"), value: yesNo(terms.edit) },
          { label: t("terms.grants"), value: yesNo(terms.grants) },
          { label: t("terms.lifetime"), value: hoursOf(terms.lifetimeSeconds) || "24" },
        ]}
      />
    </section>
  );
}
