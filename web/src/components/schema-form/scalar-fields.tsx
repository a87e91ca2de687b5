import { useState } from "react";
import type { Json, JsonSchema } from "@/api/types";
import { Input, Select, TextArea } from "@/components/field";
import { t } from "@/lib/t";

type Props = {
  id: string;
  schema: JsonSchema;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  invalid: boolean;
};

const shared = ({ id, invalid }: Props) => ({
  id,
  "aria-invalid": invalid,
  "aria-describedby": `${id}-note`,
});
const types: Record<string, string> = { date: "date", email: "email", uri: "url" };

export function TextField(props: Props) {
  const { schema, value, onChange } = props;
  const text = typeof value === "string" ? value : "";
  const example = schema.examples?.find((each) => typeof each === "string");
  const common = {
    ...shared(props),
    value: text,
    placeholder: typeof example === "string" ? example : undefined,
  };
  const change = (next: string) => onChange(next === "" ? undefined : next);
  if ((schema.maxLength ?? 0) > 500 || text.includes("\n"))
    return <TextArea {...common} onChange={(event) => change(event.target.value)} />;
  return (
    <Input
      {...common}
      type={types[schema.format ?? ""] ?? "text"}
      autoComplete="off"
      onChange={(event) => change(event.target.value)}
    />
  );
}

export function NumberField(props: Props & { integer: boolean }) {
  const { schema, value, onChange, integer } = props;
  // The text is kept beside the number so that "1." and "-" can be typed through.
  const [text, setText] = useState(() => (typeof value === "number" ? String(value) : ""));
  const shown = typeof value === "number" && Number(text) !== value ? String(value) : text;
  const change = (next: string) => {
    setText(next);
    const number = Number(next);
    if (next.trim() === "") onChange(undefined);
    else if (!Number.isNaN(number) && (!integer || Number.isInteger(number))) onChange(number);
  };
  return (
    <Input
      {...shared(props)}
      inputMode={integer ? "numeric" : "decimal"}
      autoComplete="off"
      value={shown}
      min={schema.minimum}
      max={schema.maximum}
      onChange={(event) => change(event.target.value)}
    />
  );
}

export function ChoiceField(props: Props & { options: Json[]; required: boolean }) {
  const { value, onChange, options, required } = props;
  const index = options.indexOf(value as Json);
  return (
    <Select
      {...shared(props)}
      value={index}
      onChange={(event) => onChange(options[Number(event.target.value)])}
    >
      {index < 0 || !required ? (
        <option value={-1}>{required ? t("form.choose") : t("form.none")}</option>
      ) : null}
      {options.map((option, at) => (
        <option key={String(option)} value={at}>
          {String(option)}
        </option>
      ))}
    </Select>
  );
}
