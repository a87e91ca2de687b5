import { X } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { Button } from "@/components/button";
import { Input, Labelled } from "@/components/field";
import { t } from "@/lib/t";

type Props = {
  label: string;
  hint?: string;
  placeholder?: string;
  values: string[];
  disabled?: boolean;
  /** Takes what is typed also when the field is left. */
  takesOnBlur?: boolean;
  onChange: (values: string[]) => void;
};

/** A list of short texts: each with a button that takes it out, and a field that adds one. */
export function ChipsInput(props: Props) {
  const { label, hint, placeholder, values, disabled = false, takesOnBlur = false, onChange } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const add = () => {
    const value = typed.trim();
    setTyped("");
    if (value && !values.includes(value)) onChange([...values, value]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== ",")) return;
    event.preventDefault();
    add();
  };
  return (
    <Labelled id={id} label={label} hint={hint}>
      <ul className="flex flex-wrap gap-1.5 empty:hidden" aria-label={label}>
        {values.map((value) => (
          <li
            key={value}
            className="inline-flex h-7 max-w-full items-center gap-0.5 rounded-md border border-line ps-2 text-small"
          >
            <span className="min-w-0 truncate font-mono">{value}</span>
            <button
              type="button"
              disabled={disabled}
              aria-label={t("chips.remove", { value })}
              className="grid size-6 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-hover hover:text-ink disabled:opacity-50"
              onClick={() => {
                onChange(values.filter((each) => each !== value));
                input.current?.focus();
              }}
            >
              <X aria-hidden className="size-3.5" />
            </button>
          </li>
        ))}
      </ul>
      <div className="flex gap-2">
        <Input
          ref={input}
          id={id}
          value={typed}
          autoComplete="off"
          placeholder={placeholder}
          readOnly={disabled}
          aria-describedby={hint ? `${id}-note` : undefined}
          onKeyDown={onKeyDown}
          onBlur={takesOnBlur ? add : undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button disabled={disabled || typed.trim() === ""} onClick={add}>
          {t("chips.add")}
        </Button>
      </div>
    </Labelled>
  );
}
