import { colourOf } from "./colours";

export type TooltipLine = { name: string; value: string; colour: number };
type Props = { x: number; width: number; title: string; lines: TooltipLine[] };

const MOST = 12;

/** Beside the value that is looked at. The same words are read out elsewhere. */
export function Tooltip({ x, width, title, lines }: Props) {
  const side = x > width / 2 ? { right: width - x + 12 } : { left: x + 12 };
  return (
    <div
      aria-hidden
      style={{ ...side, maxWidth: Math.max(140, Math.max(x, width - x) - 16) }}
      className="pointer-events-none absolute top-2 z-10 rounded-md border border-line bg-canvas px-2.5 py-1.5 text-small shadow-lift"
    >
      <p className="truncate font-medium">
        <bdi>{title}</bdi>
      </p>
      {lines.slice(0, MOST).map((line) => (
        <p key={line.colour} className="flex items-center gap-1.5">
          <Swatch colour={line.colour} />
          <bdi className="truncate text-ink-2">{line.name}</bdi>
          <bdi className="ms-auto shrink-0 ps-2 font-medium tabular-nums">{line.value}</bdi>
        </p>
      ))}
    </div>
  );
}

export function Swatch({ colour }: { colour: number }) {
  return (
    <span
      className="size-2 shrink-0 rounded-full"
      style={{ backgroundColor: colourOf(colour) }}
      aria-hidden
    />
  );
}
