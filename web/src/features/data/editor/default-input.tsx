import { useId } from "react";
import type { Json, JsonObject } from "@/api/types";
import { Labelled, Select } from "@/components/field";
import { JsonField } from "@/components/schema-form/json-field";
import { t } from "@/lib/t";
import type { FieldType } from "./field-types";
import { TypedInput } from "./typed-input";
import { optionsOf, textsOf } from "./values";

type Props = {
  type: FieldType;
  definition: JsonObject;
  onChange: (value: Json | undefined) => void;
};

/** The value of a record that gives none, in the way its type is written. */
export function DefaultInput({ type, definition, onChange }: Props) {
  const id = useId();
  const { default: value } = definition;
  const label = t("data.default");
  if (type === "multi_selection")
    return <SeveralInput label={label} definition={definition} onChange={onChange} />;
  if (type === "json")
    return (
      <Labelled id={id} label={label}>
        <JsonField id={id} value={value} onChange={onChange} />
      </Labelled>
    );
  const choices = choicesOf(type, definition);
  if (choices) {
    const at = choices.findIndex((choice) => choice.value === value);
    return (
      <Labelled id={id} label={label}>
        <Select id={id} value={at} onChange={(event) => onChange(choices[Number(event.target.value)]?.value)}>
          <option value={-1}>{t("form.none")}</option>
          {choices.map((choice, index) => (
            <option key={choice.label} value={index}>
              {choice.label}
            </option>
          ))}
        </Select>
      </Labelled>
    );
  }
  const relative = type === "date" || type === "datetime";
  return (
    <Labelled id={id} label={label}>
      <TypedInput
        id={id}
        type={type}
        value={value}
        placeholder={relative ? t(type === "date" ? "data.orToday" : "data.orNow") : undefined}
        onChange={onChange}
      />
    </Labelled>
  );
}

function choicesOf(type: FieldType, definition: JsonObject): { value: Json; label: string }[] | null {
  if (type === "boolean")
    return [
      { value: true, label: t("data.yes") },
      { value: false, label: t("data.no") },
    ];
  if (type !== "selection") return null;
  return optionsOf(definition.options).map(({ value, title }) => ({ value, label: title || value }));
}

type SeveralProps = { label: string; definition: JsonObject; onChange: (value: Json | undefined) => void };

function SeveralInput({ label, definition, onChange }: SeveralProps) {
  const chosen = textsOf(definition.default);
  const options = optionsOf(definition.options).filter(({ value }) => value !== "");
  const turn = (value: string, on: boolean) => {
    const next = on ? [...chosen, value] : chosen.filter((each) => each !== value);
    onChange(next.length > 0 ? next : undefined);
  };
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1.5">
      <legend className="mb-1.5 font-medium text-small">{label}</legend>
      {options.length === 0 ? <span className="text-ink-3">{t("form.none")}</span> : null}
      {options.map(({ value, title }) => (
        <label key={value} className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={chosen.includes(value)}
            onChange={(event) => turn(value, event.target.checked)}
          />
          {title || value}
        </label>
      ))}
    </fieldset>
  );
}
