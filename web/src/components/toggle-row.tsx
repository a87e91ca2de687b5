import { useId } from "react";
import { Toggle } from "@/components/toggle";

type Props = {
  label: string;
  note: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
};

/** A switch with what it is called, and what it does. */
export function ToggleRow({ label, note, checked, disabled = false, onChange }: Props) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <Toggle id={id} checked={checked} disabled={disabled} describedBy={`${id}-note`} onChange={onChange} />
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-note`} className="text-ink-2">
          {note}
        </p>
      </div>
    </div>
  );
}
