import { percent } from "@/lib/format";
import { t } from "@/lib/t";

type Props = { value: number | null; target: number | null; text: string };

/** How far a figure is on its way. The words say it too, so that the bar is only a picture. */
export function Target({ value, target, text }: Props) {
  const share = value !== null && target ? value / target : null;
  return (
    <>
      <span className="mt-1.5 block h-1 overflow-hidden rounded-full bg-hover">
        <span
          className="block h-full rounded-full bg-accent"
          style={{ width: `${Math.min(1, Math.max(0, share ?? 0)) * 100}%` }}
        />
      </span>
      <span className="mt-1 block text-ink-2 text-meta tabular-nums">
        {share === null ? text : t("widget.ofTarget", { share: percent(share), target: text })}
      </span>
    </>
  );
}
