import { cx } from "@/lib/cx";
import { colourOf, isRepeated } from "./colours";

export type TooltipLine = { name: string; value: string; colour: number };
type Props = { x: number; y?: number; width: number; title: string; lines: TooltipLine[] };

const MOST = 12;

/** Beside the value that is looked at. The same words are read out elsewhere. */
export function Tooltip({ x, y = 8, width, title, lines }: Props) {
  const side = x > width / 2 ? { right: width - x + 12 } : { left: x + 12 };
  return (
    <div
      aria-hidden
      style={{ ...side, top: y, maxWidth: Math.max(140, Math.max(x, width - x) - 16) }}
      className="pointer-events-none absolute z-10 rounded-md border border-line bg-canvas px-2.5 py-1.5 text-small shadow-lift"
    >
      <p className="truncate font-medium">
        <bdi>{title}</bdi>
      </p>
      {lines.slice(0, MOST).map((line) => (
        <p key={line.colour} className="flex items-center gap-1.5">
          <Swatch colour={line.colour} />
          <bdi className="shrink-0 truncate max-w-32 text-ink-2">{line.name}</bdi>
          <bdi className="ms-auto min-w-0 break-all ps-2 text-end font-medium tabular-nums">{line.value}</bdi>
        </p>
      ))}
    </div>
  );
}

export function Swatch({ colour }: { colour: number }) {
  return (
    <span
      aria-hidden
      className={cx("size-2 shrink-0 rounded-full border-2", isRepeated(colour) && "bg-canvas")}
      style={{
        borderColor: colourOf(colour),
        ...(isRepeated(colour) ? {} : { backgroundColor: colourOf(colour) }),
      }}
    />
  );
}
