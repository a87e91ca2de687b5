import { Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import type { Json, JsonSchema } from "@/api/types";
import { Button } from "@/components/button";
import { t } from "@/lib/t";
import { join } from "./errors";
import type { NestedProps } from "./object-field";
import { initial } from "./schema";
import { SchemaField } from "./schema-field";

export function ListField({
  items,
  value,
  onChange,
  pointer,
  root,
  errors,
  label,
}: NestedProps & { items: JsonSchema }) {
  const list: (Json | undefined)[] = Array.isArray(value) ? value : [];
  // Items have no identity of their own, and their fields keep what is being typed.
  const keys = useRef<number[]>([]);
  const next = useRef(0);
  while (keys.current.length < list.length) keys.current.push(next.current++);
  const set = (index: number, item: Json | undefined) =>
    onChange(list.map((old, at) => (at === index ? item : old) ?? null));
  const remove = (index: number) => {
    keys.current.splice(index, 1);
    const rest = list.filter((_, at) => at !== index) as Json[];
    onChange(rest.length > 0 ? rest : undefined);
  };
  return (
    <div className="grid gap-3 rounded-lg border border-line p-2.5">
      {list.map((item, index) => (
        <div key={keys.current[index]} className="flex items-center gap-1 border-line border-b pb-3">
          <div className="min-w-0 flex-1">
            <SchemaField
              bare
              name={t("form.item", { n: index + 1, label })}
              pointer={join(pointer, index)}
              schema={items}
              root={root}
              required
              value={item ?? undefined}
              errors={errors}
              onChange={(changed) => set(index, changed)}
            />
          </div>
          <Button
            variant="ghost"
            size="icon"
            aria-label={t("form.removeItem", { n: index + 1, label })}
            onClick={() => remove(index)}
          >
            <Trash2 aria-hidden />
          </Button>
        </div>
      ))}
      <div>
        <Button size="sm" onClick={() => onChange([...(list as Json[]), initial(items, root, true) ?? null])}>
          <Plus aria-hidden />
          {t("form.addItem")}
        </Button>
      </div>
    </div>
  );
}
