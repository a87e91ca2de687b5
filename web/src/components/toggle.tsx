import { cx } from "@/lib/cx";

type Props = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label?: string;
  id?: string;
  disabled?: boolean;
  describedBy?: string;
};

export function Toggle({ checked, onChange, label, id, disabled = false, describedBy }: Props) {
  return (
    <button
      type="button"
      role="switch"
      id={id}
      aria-checked={checked}
      aria-label={label}
      aria-describedby={describedBy}
      disabled={disabled}
      onClick={() => onChange(!checked)}
      className={cx(
        "h-[18px] w-8 shrink-0 rounded-full transition-colors disabled:cursor-not-allowed disabled:opacity-50",
        checked ? "bg-accent" : "bg-field-line",
      )}
    >
      <span
        className={cx(
          "block size-3.5 rounded-full bg-white shadow-sm transition-transform",
          checked ? "translate-x-[16px] rtl:-translate-x-[16px]" : "translate-x-[2px] rtl:-translate-x-[2px]",
        )}
      />
    </button>
  );
}
