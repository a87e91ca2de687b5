import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Input } from "@/components/field";
import { Kbd } from "@/components/kbd";
import { t } from "@/lib/t";

const PAUSE_MS = 300;

type Props = { value: string; onChange: (value: string) => void };

/** A text to search for, which is searched for once the typing pauses. */
export function SearchField({ value, onChange }: Props) {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    // It was set from elsewhere: by a link, or with all filters.
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    const text = typed.trim();
    if (text === told.current) return;
    const timer = setTimeout(() => {
      told.current = text;
      onChange(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, onChange]);
  return (
    <div className="relative w-72 max-sm:order-1 max-sm:w-full">
      <Search aria-hidden className="pointer-events-none absolute start-2.5 top-2 size-4 text-ink-3" />
      <Input
        data-slash="focus"
        aria-label={t("audit.search")}
        placeholder={t("audit.search")}
        className="ps-8 pe-8"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <span aria-hidden className="pointer-events-none absolute end-2 top-[7px] max-sm:hidden">
        <Kbd>/</Kbd>
      </span>
    </div>
  );
}
