import { Switch } from "radix-ui";

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
    <Switch.Root
      id={id}
      checked={checked}
      disabled={disabled}
      onCheckedChange={onChange}
      aria-label={label}
      aria-describedby={describedBy}
      onClick={(event) => event.stopPropagation()}
      className="relative h-[18px] w-8 shrink-0 rounded-full bg-field-line transition-colors disabled:cursor-not-allowed disabled:opacity-50 data-[state=checked]:bg-accent"
    >
      <Switch.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-white shadow-sm transition-transform data-[state=checked]:translate-x-[15px] rtl:-translate-x-0.5 rtl:data-[state=checked]:-translate-x-[15px]" />
    </Switch.Root>
  );
}
