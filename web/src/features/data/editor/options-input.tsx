import { Plus, Trash2 } from "lucide-react";
import { useId, useRef } from "react";
import type { Json } from "@/api/types";
import { Button } from "@/components/button";
import { Input } from "@/components/field";
import { t } from "@/lib/t";
import { fromOptions, type Option, optionsOf } from "./values";

type Props = { value: Json | undefined; onChange: (value: Json) => void };

/** The options of a selection: what is stored, and how people read it. */
export function OptionsInput({ value, onChange }: Props) {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const options = optionsOf(value);
  const set = (index: number, change: Partial<Option>) =>
    onChange(fromOptions(options.map((old, at) => (at === index ? { ...old, ...change } : old))));
  const focusOn = (index: number) =>
    requestAnimationFrame(() => {
      list.current?.querySelectorAll<HTMLElement>("[data-value]")[index]?.focus();
    });
  const add = () => {
    onChange(fromOptions([...options, { value: "", title: "" }]));
    focusOn(options.length);
  };
  const remove = (index: number) => {
    onChange(fromOptions(options.filter((_, at) => at !== index)));
    focusOn(Math.max(0, index - 1));
  };
  return (
    <fieldset className="grid min-w-0 gap-2 rounded-lg border border-line p-2.5">
      <legend className="px-1 font-medium text-small">{t("data.options")}</legend>
      <ul ref={list} className="grid gap-2 empty:hidden">
        {options.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an option has no other identity, and its fields keep nothing
          <li key={index} className="flex items-center gap-2">
            <Input
              id={`${id}-${index}`}
              data-value
              autoComplete="off"
              aria-label={t("data.optionValue", { n: index + 1 })}
              placeholder={t("data.optionValuePlaceholder")}
              className="font-mono text-small"
              value={option.value}
              onChange={(event) => set(index, { value: event.target.value })}
            />
            <Input
              autoComplete="off"
              aria-label={t("data.optionTitle", { n: index + 1 })}
              placeholder={t("data.optionTitlePlaceholder")}
              value={option.title}
              onChange={(event) => set(index, { title: event.target.value })}
            />
            <Button
              variant="ghost"
              size="icon"
              aria-label={t("data.removeOption", { n: index + 1 })}
              onClick={() => remove(index)}
            >
              <Trash2 aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <div>
        <Button size="sm" onClick={add}>
          <Plus aria-hidden />
          {t("data.addOption")}
        </Button>
      </div>
    </fieldset>
  );
}
