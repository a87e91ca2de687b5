import { useId } from "react";

type Option<Value extends string> = { value: Value; label: string; note?: string };
type Props<Value extends string> = {
  label: string;
  hint?: string;
  value: Value;
  options: Option<Value>[];
  onChange: (value: Value) => void;
};

/** A choice of one among a few that need some words each. */
export function RadioChoice<Value extends string>({ label, hint, value, options, onChange }: Props<Value>) {
  const id = useId();
  return (
    <fieldset className="grid gap-2" aria-describedby={hint ? `${id}-note` : undefined}>
      <legend className="mb-1.5 font-medium text-small">{label}</legend>
      {hint ? (
        <p id={`${id}-note`} className="text-ink-2">
          {hint}
        </p>
      ) : null}
      {options.map((option) => (
        <div key={option.value}>
          <label className="flex items-start gap-2.5">
            <input
              type="radio"
              name={id}
              className="mt-0.5 size-4 shrink-0 accent-(--accent)"
              checked={option.value === value}
              aria-describedby={option.note ? `${id}-${option.value}` : undefined}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
          {option.note ? (
            <p id={`${id}-${option.value}`} className="ms-6.5 text-ink-3 text-small">
              {option.note}
            </p>
          ) : null}
        </div>
      ))}
    </fieldset>
  );
}
