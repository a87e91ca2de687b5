import type { WithheldValues } from "@/api/types";
import { FieldList } from "@/components/field-list";
import { t } from "@/lib/t";

/** What of a call's result was masked before a language model received it. */
export function WithheldList({ withheld }: { withheld: WithheldValues[] }) {
  const fields = new Map<string, string[]>();
  for (const { provider, fields: counts } of withheld) {
    for (const [field, count] of Object.entries(counts)) {
      const told = t("calls.withheldOf", { count, provider });
      fields.set(field, [...(fields.get(field) ?? []), told]);
    }
  }
  return <FieldList fields={[...fields].map(([label, told]) => ({ label, value: told.join("\n") }))} />;
}
