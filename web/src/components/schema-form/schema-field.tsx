import { useId } from "react";
import type { Json, JsonSchema } from "@/api/types";
import { Toggle } from "@/components/toggle";
import { humanise } from "@/lib/labels";
import type { Errors } from "./errors";
import { FieldFrame } from "./field-frame";
import { JsonField } from "./json-field";
import { ListField } from "./list-field";
import { ObjectField } from "./object-field";
import { ChoiceField, NumberField, TextField } from "./scalar-fields";
import { fieldOf, resolve } from "./schema";
import { UnionField } from "./union-field";

export type SchemaFieldProps = {
  name: string;
  pointer: string;
  schema: JsonSchema;
  root: JsonSchema;
  required: boolean;
  value: Json | undefined;
  errors: Errors;
  bare?: boolean;
  onChange: (value: Json | undefined) => void;
};

/** One field of a form, made from its schema. Nested values are only drawn once they are there. */
export function SchemaField(props: SchemaFieldProps) {
  const { name, pointer, root, required, value, errors, bare = false, onChange } = props;
  const schema = resolve(props.schema, root);
  const id = useId();
  const label = schema.title ?? humanise(name);
  const field = fieldOf(schema, root);
  const error = errors[pointer];
  const frame = { id, name, label, required, hint: bare ? undefined : schema.description, error, bare };
  const control = { id, schema, value, onChange, invalid: Boolean(error) };
  switch (field.kind) {
    case "text":
      return (
        <FieldFrame {...frame}>
          <TextField {...control} />
        </FieldFrame>
      );
    case "number":
    case "integer":
      return (
        <FieldFrame {...frame}>
          <NumberField {...control} integer={field.kind === "integer"} />
        </FieldFrame>
      );
    case "choice":
      return (
        <FieldFrame {...frame}>
          <ChoiceField {...control} options={field.options} required={required} />
        </FieldFrame>
      );
    case "boolean":
      return (
        <div className="grid gap-1">
          <div className="flex items-center gap-2.5">
            <Toggle id={id} checked={value === true} onChange={onChange} describedBy={`${id}-note`} />
            <label htmlFor={id} className="font-medium text-small">
              {label}
            </label>
            <span className="ms-auto font-mono text-ink-3 text-meta">{name}</span>
          </div>
          <p id={`${id}-note`} className={error ? "text-danger text-small" : "text-ink-3 text-small"}>
            {error ?? schema.description}
          </p>
        </div>
      );
    case "json":
      return (
        <FieldFrame {...frame}>
          <JsonField id={id} value={value} onChange={onChange} invalid={Boolean(error)} />
        </FieldFrame>
      );
    case "object":
    case "list":
    case "union": {
      const nested = { pointer, root, required, value, errors, onChange, label, bare };
      return (
        <FieldFrame {...frame} group json={{ value, onChange }}>
          {field.kind === "object" ? <ObjectField {...nested} schema={schema} field={field} /> : null}
          {field.kind === "list" ? <ListField {...nested} items={field.items} /> : null}
          {field.kind === "union" ? <UnionField {...nested} variants={field.variants} /> : null}
        </FieldFrame>
      );
    }
  }
}
