import { type Ref, useId } from "react";
import { Input, Labelled } from "@/components/field";

type Props = {
  label: string;
  hint?: string | undefined;
  error?: string | null;
  placeholder?: string;
  mono?: boolean;
  value: string;
  onChange: (value: string) => void;
  ref?: Ref<HTMLInputElement>;
};

/** A labelled line of text. */
export function TextInput({
  label,
  hint,
  error = null,
  placeholder,
  mono = false,
  value,
  onChange,
  ref,
}: Props) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <Input
        ref={ref}
        id={id}
        dir={mono ? "ltr" : "auto"}
        autoComplete="off"
        spellCheck={mono ? false : undefined}
        placeholder={placeholder}
        aria-invalid={error !== null}
        aria-describedby={error || hint ? `${id}-note` : undefined}
        className={mono ? "font-mono text-small" : undefined}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </Labelled>
  );
}
