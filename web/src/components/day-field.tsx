import { useId } from "react";
import { Input } from "@/components/field";

type Props = {
  label: string;
  value: string | undefined;
  isUnfit?: boolean;
  describedBy?: string | undefined;
  onChange: (value: string) => void;
};

/** A day, with its label before it. */
export function DayField({ label, value = "", isUnfit = false, describedBy, onChange }: Props) {
  const id = useId();
  return (
    <span className="flex items-center gap-1.5">
      <label htmlFor={id} className="text-ink-2 text-small">
        {label}
      </label>
      <Input
        id={id}
        type="date"
        max="2999-12-31"
        value={value}
        aria-invalid={isUnfit}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.target.value)}
      />
    </span>
  );
}
