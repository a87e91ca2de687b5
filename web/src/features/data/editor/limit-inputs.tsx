import { useId } from "react";
import type { Json, JsonObject } from "@/api/types";
import { Labelled } from "@/components/field";
import { t } from "@/lib/t";
import { type FieldType, type Limit, limitsOf } from "./field-types";
import { TypedInput } from "./typed-input";

type Props = {
  type: FieldType;
  definition: JsonObject;
  onKey: (key: string, value: Json | undefined) => void;
};

/** What the values of a field are held to. */
export function LimitInputs({ type, definition, onKey }: Props) {
  return limitsOf(type).map((limit) => (
    <LimitInput
      key={limit}
      label={t(limit === "length" && type === "binary" ? "limit.bytes" : `limit.${limit}`)}
      type={valueType(limit, type)}
      value={definition[limit]}
      onChange={(value) => onKey(limit, value)}
    />
  ));
}

function valueType(limit: Limit, type: FieldType): FieldType {
  if (limit === "pattern") return "string";
  return limit === "min" || limit === "max" ? type : "integer";
}

type LimitProps = {
  label: string;
  type: FieldType;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
};

function LimitInput({ label, type, value, onChange }: LimitProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label}>
      <TypedInput id={id} type={type} value={value} onChange={onChange} />
    </Labelled>
  );
}
