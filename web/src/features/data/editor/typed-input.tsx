import { useState } from "react";
import type { Json } from "@/api/types";
import { Input } from "@/components/field";
import type { FieldType } from "./field-types";
import { textOf, valueFrom } from "./values";

type Props = {
  id: string;
  /** The type whose values it takes. */
  type: FieldType;
  value: Json | undefined;
  placeholder?: string;
  onChange: (value: Json | undefined) => void;
};

/** One value as text. The text is kept beside the value, so that "1." and "-" can be typed through. */
export function TypedInput({ id, type, value, placeholder, onChange }: Props) {
  const [typed, setTyped] = useState(() => textOf(value));
  const shown = valueFrom(type, typed) === value ? typed : textOf(value);
  return (
    <Input
      id={id}
      dir="auto"
      autoComplete="off"
      inputMode={type === "integer" ? "numeric" : undefined}
      placeholder={placeholder}
      value={shown}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(valueFrom(type, event.target.value));
      }}
    />
  );
}
