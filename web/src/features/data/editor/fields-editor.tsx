import { Plus } from "lucide-react";
import { useRef } from "react";
import { Button } from "@/components/button";
import { announce } from "@/lib/announce";
import { t } from "@/lib/t";
import { fieldNameProblem } from "./check";
import { type FieldDraft, type ModelDraft, moved, withNewField } from "./draft";
import { FieldCard } from "./field-card";

type Props = {
  draft: ModelDraft;
  models: string[];
  /** Whether wrong names are said, as they are once the review was asked for. */
  isChecked: boolean;
  open: Set<number>;
  onOpen: (key: number, isOpen: boolean) => void;
  onChange: (fields: FieldDraft[]) => void;
};

/** The fields of a model, in the order in which people see them. */
export function FieldsEditor({ draft, models, isChecked, open, onOpen, onChange }: Props) {
  const add = useRef<HTMLButtonElement>(null);
  const { fields } = draft;
  const addField = () => {
    const next = withNewField(fields);
    const { key } = next[next.length - 1] ?? { key: 0 };
    onChange(next);
    onOpen(key, true);
    focusField(key);
  };
  const move = (from: number, to: number) => {
    onChange(moved(fields, from, to));
    announce(t("data.moved", { name: fields[from]?.name ?? "", n: to + 1, count: fields.length }));
  };
  const remove = (index: number) => {
    onChange(fields.filter((_, at) => at !== index));
    announce(t("data.removed", { name: fields[index]?.name ?? "" }));
    add.current?.focus();
  };
  return (
    <section className="grid gap-2" aria-label={t("data.fields")}>
      <h2 className="font-semibold">{t("data.fields")}</h2>
      {fields.length === 0 ? (
        <p className="text-ink-3">{t("data.noFields")}</p>
      ) : (
        <ul className="rounded-xl border border-line">
          {fields.map((field, index) => (
            <FieldCard
              key={field.key}
              field={field}
              index={index}
              count={fields.length}
              isOpen={open.has(field.key)}
              nameError={isChecked ? fieldNameProblem(draft, index) : null}
              models={models}
              onOpen={(isOpen) => onOpen(field.key, isOpen)}
              onChange={(next) => onChange(fields.map((old) => (old.key === next.key ? next : old)))}
              onMove={(to) => move(index, to)}
              onRemove={() => remove(index)}
            />
          ))}
        </ul>
      )}
      <div>
        <Button ref={add} onClick={addField}>
          <Plus aria-hidden />
          {t("data.addField")}
        </Button>
      </div>
    </section>
  );
}

/** Brings the name of a field into sight and gives it the focus, once it is there. */
export function focusField(key: number): void {
  requestAnimationFrame(() => {
    const input = document.querySelector<HTMLElement>(`[data-field="${key}"] fieldset input`);
    input?.scrollIntoView({ block: "center" });
    input?.focus();
  });
}
