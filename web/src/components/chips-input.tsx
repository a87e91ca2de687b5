import { type KeyboardEvent, useId, useRef, useState } from "react";
import { Button } from "@/components/button";
import { Chips } from "@/components/chips";
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
      <Chips
        mono
        label={label}
        chips={values.map((value) => ({ value, label: value }))}
        disabled={disabled}
        onRemove={(value) => {
          onChange(values.filter((each) => each !== value));
          input.current?.focus();
        }}
      />
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
