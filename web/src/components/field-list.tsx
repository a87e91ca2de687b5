import { WithheldText } from "@/components/withheld-text";

type Field = { label: string; value: string };

/** Labels and values in two columns, as on an approval card. */
export function FieldList({ fields }: { fields: Field[] }) {
  return (
    <dl className="grid grid-cols-[minmax(5.5rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1">
      {fields.map((field) => (
        <div key={field.label} className="contents">
          <dt className="max-w-40 text-ink-2">{field.label}</dt>
          <dd className="whitespace-pre-line break-words font-medium">
            <WithheldText value={field.value || "–"} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
