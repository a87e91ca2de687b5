import { cx } from "@/lib/cx";

type Props = { share: number; isOver?: boolean };

/** How much of a whole it is, for the eye; the numbers stand beside it. */
export function ShareBar({ share, isOver = false }: Props) {
  const part = Math.min(1, Math.max(0, share));
  return (
    <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-hover">
      <div
        className={cx("h-full rounded-full", isOver ? "bg-danger" : "bg-accent")}
        style={{ width: `${part * 100}%` }}
      />
    </div>
  );
}
