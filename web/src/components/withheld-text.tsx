import { WITHHELD } from "@/lib/marks";
import { t } from "@/lib/t";

/** A value as it came, or muted that it is withheld. */
export function WithheldText({ value }: { value: string }) {
  if (value !== WITHHELD) return value;
  return <span className="font-normal text-ink-3 italic">{t("approval.withheld")}</span>;
}
