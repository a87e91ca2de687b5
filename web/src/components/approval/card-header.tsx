import { ShieldQuestion, TriangleAlert } from "lucide-react";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";

type Props = { id: string; title: string; red: boolean };

export function CardHeader({ id, title, red }: Props) {
  const Icon = red ? TriangleAlert : ShieldQuestion;
  return (
    <header
      className={cx(
        "flex min-h-9 flex-wrap items-center gap-x-2 px-3.5 py-1.5",
        red ? "bg-danger-soft text-danger" : "bg-ask-soft text-ask",
      )}
    >
      <Icon aria-hidden className="size-4" />
      <h2 id={id} className="min-w-0 font-semibold text-ink">
        {title}
      </h2>
      <span className="ms-auto font-medium text-meta">
        {red ? t("approval.cannotBeUndone") : t("approval.asksFirst")}
      </span>
    </header>
  );
}
