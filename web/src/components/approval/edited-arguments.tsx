import type { Approval, Json } from "@/api/types";
import { JsonView } from "@/components/json-view";
import { WithheldText } from "@/components/withheld-text";
import { t } from "@/lib/t";
import { isWhole, isWithheld } from "./card-title";

/** What a call was asked with, and what it was approved with instead; both folded. */
export function EditedArguments({ approval }: { approval: Approval }) {
  const { argumentsBefore, card } = approval;
  if (argumentsBefore === null) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="text-ink-2">{t("approval.edited")}</p>
      <Folded label={t("approval.argumentsBefore")} value={argumentsBefore} />
      {isWhole(card) ? <Folded label={t("approval.argumentsAfter")} value={card.arguments} /> : null}
      {isWithheld(card) ? <Folded label={t("approval.argumentsAfter")} value={card} /> : null}
    </div>
  );
}

function Folded({ label, value }: { label: string; value: Json }) {
  return (
    <details>
      <summary className="w-fit rounded-sm text-ink-2 text-small hover:text-ink">{label}</summary>
      {typeof value === "string" ? (
        <p className="mt-1">
          <WithheldText value={value} />
        </p>
      ) : (
        <JsonView value={value} label={label} className="mt-2 max-h-64" />
      )}
    </details>
  );
}
