import { useState } from "react";
import type { JsonSchema } from "@/api/types";
import { Select } from "@/components/field";
import { t } from "@/lib/t";
import type { NestedProps } from "./object-field";
import { fieldOf, initial, resolve, variantOf, variantTitle } from "./schema";
import { SchemaField } from "./schema-field";

/** One of several shapes: choose which, then fill it in. */
export function UnionField({
  variants,
  value,
  onChange,
  pointer,
  root,
  errors,
  label,
}: NestedProps & { variants: JsonSchema[] }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const index = chosen ?? variantOf(value, variants, root);
  const variant = variants[index];
  const choose = (next: number) => {
    setChosen(next);
    const begin = variants[next];
    onChange(begin ? initial(begin, root, true) : undefined);
  };
  return (
    <div className="grid gap-2 rounded-lg border border-line p-2.5">
      <Select
        value={index}
        aria-label={t("form.shapeOf", { label })}
        onChange={(event) => choose(Number(event.target.value))}
      >
        <option value={-1}>{t("form.none")}</option>
        {variants.map((each, at) => {
          const title = variantTitle(each, root, at);
          return (
            <option key={title} value={at}>
              {title}
            </option>
          );
        })}
      </Select>
      {variant && !isFixed(variant, root) ? (
        <SchemaField
          key={index}
          bare
          name={variantTitle(variant, root, index)}
          pointer={pointer}
          schema={variant}
          root={root}
          required
          value={value}
          errors={errors}
          onChange={onChange}
        />
      ) : null}
    </div>
  );
}

/** A shape of one value only: choosing it has already filled it in. */
function isFixed(variant: JsonSchema, root: JsonSchema): boolean {
  const field = fieldOf(resolve(variant, root), root);
  return field.kind === "choice" && field.options.length === 1;
}
