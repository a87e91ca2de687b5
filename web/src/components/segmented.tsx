import { useId } from "react";
import { cx } from "@/lib/cx";

type Props<Value extends string> = {
  label: string;
  hideLabel?: boolean;
  /** The label takes no more room than its words. */
  isTight?: boolean;
  describedBy?: string;
  value: Value;
  options: { value: Value; label: string }[];
  onChange: (value: Value) => void;
};

/** A choice among a few, all of them in sight. */
export function Segmented<Value extends string>({
  label,
  hideLabel,
  isTight,
  describedBy,
  value,
  options,
  onChange,
}: Props<Value>) {
  const name = useId();
  return (
    <fieldset aria-describedby={describedBy} className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
      <legend className={hideLabel ? "sr-only" : cx("float-start text-ink-2", !isTight && "min-w-24")}>
        {label}
      </legend>
      <div className="inline-flex flex-wrap gap-0.5">
        {options.map((option) => (
          <label
            key={option.value}
            className={cx(
              "flex h-7 cursor-pointer items-center rounded-md px-2.5 font-medium text-small has-focus-visible:outline-2 has-focus-visible:outline-accent",
              option.value === value ? "bg-hover text-ink" : "text-ink-2 hover:text-ink",
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
