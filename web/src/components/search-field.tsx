import { Search } from "lucide-react";
import { Input } from "@/components/field";
import { Kbd } from "@/components/kbd";
import { cx } from "@/lib/cx";

type Props = { label: string; value: string; onChange: (value: string) => void; className?: string };

/** A text to search a list for; the key / leads to it. */
export function SearchField({ label, value, onChange, className }: Props) {
  return (
    <div className={cx("relative w-72 max-sm:w-full", className)}>
      <Search aria-hidden className="pointer-events-none absolute start-2.5 top-2 size-4 text-ink-3" />
      <Input
        data-slash="focus"
        aria-label={label}
        placeholder={label}
        className="ps-8 pe-8"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <span aria-hidden className="pointer-events-none absolute end-2 top-[7px] max-sm:hidden">
        <Kbd>/</Kbd>
      </span>
    </div>
  );
}
