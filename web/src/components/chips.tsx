import { X } from "lucide-react";
import { t } from "@/lib/t";

type Chip = { value: string; label: string };
type Props = {
  label: string;
  chips: Chip[];
  disabled?: boolean;
  /** For names that are code, like those of roles. */
  mono?: boolean;
  onRemove: (value: string) => void;
};

/** Short texts, each with a button that takes it out. */
export function Chips({ label, chips, disabled = false, mono = false, onRemove }: Props) {
  return (
    <ul className="flex flex-wrap gap-1.5 empty:hidden" aria-label={label}>
      {chips.map((chip) => (
        <li
          key={chip.value}
          className="inline-flex h-7 max-w-full items-center gap-0.5 rounded-md border border-line ps-2 text-small"
        >
          <span className={mono ? "min-w-0 truncate font-mono" : "min-w-0 truncate"}>{chip.label}</span>
          <button
            type="button"
            disabled={disabled}
            aria-label={t("chips.remove", { value: chip.label })}
            className="grid size-6 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-hover hover:text-ink disabled:opacity-50"
            onClick={() => onRemove(chip.value)}
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
}
