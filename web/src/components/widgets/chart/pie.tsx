import { percent } from "@/lib/format";
import { t } from "@/lib/t";
import type { Slice } from "@/widgets/chart/chart-data";
import { textWidth } from "@/widgets/chart/text";
import { add, type Decimal, zero } from "@/widgets/decimal";
import { numberText } from "@/widgets/format";
import { ChartFrame } from "./chart-frame";
import { colourOf } from "./colours";
import { Swatch } from "./tooltip";
import { useActive } from "./use-active";

type Props = { slices: Slice[]; format: string | undefined; label: string };

const SIZE = 190;
const OUTER = 90;
const INNER = 56;

/** A ring, and beside it what each part is: no part has to be guessed from its colour or angle. */
export function Pie({ slices, format, label }: Props) {
  const active = useActive(slices.length);
  const whole = slices.reduce((sum, each) => sum + each.number, 0);
  const total = slices.map((each) => each.exact).reduce(add, zero);
  const looked = active.at === null ? undefined : slices[active.at];
  let turned = 0;
  const arcs = slices.map((slice) => {
    const from = turned;
    turned += slice.number / whole;
    return { from, to: turned };
  });
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-6 gap-y-3 px-2">
      <div className="relative">
        <ChartFrame
          width={SIZE}
          height={SIZE}
          label={label}
          active={active}
          said={
            looked
              ? `${looked.name}: ${numberText(looked.exact, format)}, ${percent(looked.number / whole)}`
              : ""
          }
          onPoint={(x, y) => active.point(under(arcs, x, y))}
        >
          {slices.map((slice, index) => (
            <path
              key={slice.name}
              d={ring(arcs[index] ?? { from: 0, to: 0 })}
              fill={colourOf(index)}
              fillRule="evenodd"
              opacity={looked && looked !== slice ? 0.4 : 1}
              className="stroke-canvas"
              strokeWidth={slices.length > 1 ? 1.5 : 0}
            />
          ))}
        </ChartFrame>
        <p
          aria-hidden
          className="pointer-events-none absolute inset-0 grid place-content-center text-center text-small"
        >
          <bdi className="max-w-24 truncate text-ink-2">{looked?.name ?? t("widget.sum")}</bdi>
          <bdi className="font-semibold text-base tabular-nums">{short(looked?.exact ?? total, format)}</bdi>
        </p>
      </div>
      <ul className="grid min-w-0 max-w-full grow-0 basis-72 gap-1 text-small">
        {slices.map((slice, index) => (
          <li key={slice.name} className="flex items-center gap-2">
            <Swatch colour={index} />
            <bdi className="min-w-0 grow truncate" title={slice.name}>
              {slice.name}
            </bdi>
            <bdi className="max-w-[60%] shrink-0 break-words text-end tabular-nums">
              {numberText(slice.exact, format)}
            </bdi>
            <span className="w-12 shrink-0 text-end text-ink-2 tabular-nums">
              {percent(slice.number / whole)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What fits into the ring. The list beside it has all the digits. */
function short(value: Decimal, format: string | undefined): string {
  const text = numberText(value, format);
  return textWidth(text, 13) <= INNER * 1.8 ? text : numberText(value, format, { brief: "compact" });
}

type Arc = { from: number; to: number };

const spot = (turn: number, radius: number): string => {
  const angle = turn * 2 * Math.PI - Math.PI / 2;
  return `${(SIZE / 2 + radius * Math.cos(angle)).toFixed(2)} ${(SIZE / 2 + radius * Math.sin(angle)).toFixed(2)}`;
};

function ring({ from, to }: Arc): string {
  // An arc cannot end where it began, so the whole ring is a hair short.
  const end = Math.min(to, from + 0.99999);
  const large = end - from > 0.5 ? 1 : 0;
  return `M${spot(from, OUTER)}A${OUTER} ${OUTER} 0 ${large} 1 ${spot(end, OUTER)}L${spot(end, INNER)}A${INNER} ${INNER} 0 ${large} 0 ${spot(from, INNER)}Z`;
}

function under(arcs: Arc[], x: number, y: number): number | null {
  const [dx, dy] = [x - SIZE / 2, y - SIZE / 2];
  const distance = Math.hypot(dx, dy);
  if (distance < INNER || distance > OUTER) return null;
  const turn = (Math.atan2(dy, dx) / (2 * Math.PI) + 1.25) % 1;
  const found = arcs.findIndex(({ from, to }) => turn >= from && turn < to);
  return found < 0 ? null : found;
}
