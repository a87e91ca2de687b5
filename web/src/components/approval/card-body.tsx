import type { Card } from "@/api/types";
import { FieldList } from "@/components/field-list";
import { WithheldText } from "@/components/withheld-text";
import { t } from "@/lib/t";
import { ChangesTable } from "./changes-table";

const NAMED = 12;

/** What a call is about to do, in the words of the people who decide. */
export function CardBody({ card }: { card: Card }) {
  const fields = card.fields.filter((field) => !isInChanges(card, field));
  const named = card.changes.length === 0 && card.records.length > 0;
  return (
    <>
      {fields.length > 0 ? <FieldList fields={fields} /> : null}
      {card.changes.length > 0 ? <ChangesTable changes={card.changes} total={card.recordCount} /> : null}
      {named ? <Records card={card} /> : null}
      {card.summary && !named ? (
        <p className="rounded-md bg-sunken px-2.5 py-1.5 text-ink-2 text-small">{card.summary}</p>
      ) : null}
    </>
  );
}

function Records({ card }: { card: Card }) {
  const named = card.records.slice(0, NAMED);
  const more = card.recordCount - named.length;
  return (
    <div className="grid gap-1">
      <p className="text-ink-2">{card.summary ?? t("approval.records", { count: card.recordCount })}</p>
      <ul className="flex flex-wrap gap-1.5">
        {named.map((record, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: records that are withheld have one id in common
          <li key={`${index}${record.id}`} className="rounded-md border border-line px-2 py-0.5 font-medium">
            <WithheldText value={record.display} />
          </li>
        ))}
        {more > 0 ? (
          <li className="px-1 py-0.5 text-ink-3">{t("approval.moreRecords", { count: more })}</li>
        ) : null}
      </ul>
    </div>
  );
}

/** A field that the table of changes shows with the same value is not said twice. */
function isInChanges(card: Card, field: Card["fields"][number]): boolean {
  return (
    card.changes.length > 0 &&
    card.changes.length === card.recordCount &&
    card.changes.every((change) =>
      change.fields.some((each) => each.label === field.label && each.after === field.value),
    )
  );
}
