import { useEffect, useRef, useState } from "react";
import { SearchField } from "@/components/search-field";
import { t } from "@/lib/t";

const PAUSE_MS = 300;

type Props = { value: string; onChange: (value: string) => void };

/** A text to search for, which is searched for once the typing pauses. */
export function PausedSearch({ value, onChange }: Props) {
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
    <SearchField label={t("audit.search")} value={typed} onChange={setTyped} className="max-sm:order-1" />
  );
}
