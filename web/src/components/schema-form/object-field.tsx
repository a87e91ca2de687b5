import { Plus, Trash2 } from "lucide-react";
import type { Json, JsonObject, JsonSchema } from "@/api/types";
import { Button } from "@/components/button";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import { type Errors, join } from "./errors";
import { type Field, initial } from "./schema";
import { SchemaField } from "./schema-field";

export type NestedProps = {
  pointer: string;
  root: JsonSchema;
  required: boolean;
  value: Json | undefined;
  errors: Errors;
  onChange: (value: Json | undefined) => void;
  label: string;
  bare: boolean;
};
type ObjectFieldOf = Extract<Field, { kind: "object" }>;

export function ObjectField(props: NestedProps & { schema: JsonSchema; field: ObjectFieldOf }) {
  const { schema, field, value, onChange, root, required, label, bare } = props;
  if (value === undefined)
    return (
      <div>
        <Button size="sm" onClick={() => onChange(initial(schema, root, true) ?? {})}>
          <Plus aria-hidden />
          {t("form.add", { label })}
        </Button>
      </div>
    );
  return (
    <div className={cx("grid gap-3", bare ? compact(field) : "rounded-lg border border-line p-2.5")}>
      <Properties {...props} field={field} />
      {required ? null : (
        <div>
          <Button size="sm" variant="ghost" onClick={() => onChange(undefined)}>
            <Trash2 aria-hidden />
            {t("form.remove", { label })}
          </Button>
        </div>
      )}
    </div>
  );
}

type PropertiesProps = Omit<NestedProps, "required" | "label" | "bare"> & { field: ObjectFieldOf };

/** The fields of an object, without a frame. Fields that are left empty are left out. */
export function Properties({ field, value, onChange, pointer, root, errors }: PropertiesProps) {
  const object: JsonObject =
    typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  const set = (name: string, next: Json | undefined) => {
    const { [name]: _old, ...rest } = object;
    onChange(next === undefined ? rest : { ...object, [name]: next });
  };
  return field.properties.map(([name, schema]) => (
    <SchemaField
      key={name}
      name={name}
      pointer={join(pointer, name)}
      schema={schema}
      root={root}
      required={field.required.has(name)}
      value={object[name]}
      errors={errors}
      onChange={(next) => set(name, next)}
    />
  ));
}

/** A few plain fields side by side, as the lines of an order are read. */
function compact({ properties }: ObjectFieldOf): string {
  const plain = properties.every(
    ([, schema]) => !schema.properties && !schema.items && !schema.$ref && !schema.anyOf,
  );
  return plain && properties.length <= 3 ? "items-start sm:auto-cols-fr sm:grid-flow-col" : "";
}
