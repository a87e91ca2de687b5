import { useId } from "react";
import type { JsonObject, JsonSchema } from "@/api/types";
import { t } from "@/lib/t";
import type { Errors } from "./errors";
import { JsonField } from "./json-field";
import { Properties } from "./object-field";
import { fieldOf, resolve } from "./schema";

type Props = {
  schema: JsonSchema;
  value: JsonObject;
  errors: Errors;
  asJson: boolean;
  onChange: (value: JsonObject) => void;
};

/** The arguments of a tool: its fields, or the whole as JSON. */
export function ArgumentsForm({ schema, value, errors, asJson, onChange }: Props) {
  const id = useId();
  const field = fieldOf(resolve(schema, schema), schema);
  const take = (next: unknown) => onChange((next ?? {}) as JsonObject);
  if (field.kind === "object" && !asJson)
    return (
      <Properties field={field} value={value} onChange={take} pointer="" root={schema} errors={errors} />
    );
  const nothing = !asJson && schema.type === "object" && !schema.additionalProperties;
  if (nothing) return <p className="text-ink-3">{t("form.noArguments")}</p>;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium text-small">
        {t("form.arguments")}
      </label>
      <JsonField id={id} value={value} onChange={take} tall />
      <p id={`${id}-note`} className="whitespace-pre-line text-danger text-small">
        {Object.entries(errors)
          .map(([pointer, message]) => `${pointer}: ${message}`)
          .join("\n")}
      </p>
    </div>
  );
}
