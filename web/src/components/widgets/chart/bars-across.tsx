import { pageDirection } from "@/lib/page-direction";
import type { ChartData } from "@/widgets/chart/chart-data";
import { extentOf, scaleOf, share, stack } from "@/widgets/chart/scale";
import { fitted, textWidth } from "@/widgets/chart/text";
import { tickTexts } from "@/widgets/format";
import type { ChartProps } from "@/widgets/spec";
import { ChartFrame } from "./chart-frame";
import { colourOf, isRepeated } from "./colours";
import { seriesLines } from "./plot";
import { Tooltip } from "./tooltip";
import { useActive } from "./use-active";

type Props = { chart: ChartData; props: ChartProps; width: number; label: string };

const MOST_PLACES = 30;

/** Whether the names are too long to stand below bars, and few enough to stand beside them. */
export function wantsAcross({ places, x }: ChartData, props: ChartProps, width: number): boolean {
  if (props.kind !== "bar" || x.type === "date" || places.length > MOST_PLACES || places.length < 2)
    return false;
  const room = (width - 60) / places.length - 6;
  return places.some((place) => textWidth(place.label) > room);
}

/** Bars that run along the line, each with its whole name beside it. */
export function BarsAcross({ chart, props, width, label }: Props) {
  const { series, places } = chart;
  const active = useActive(places.length);
  const rtl = pageDirection() === "rtl";
  const stacked = Boolean(props.stacked);
  const scale = scaleOf(...extentOf(series, "bar", stacked), width < 480 ? 2 : 4);
  const side = stacked ? 1 : series.length;
  const thick = side === 1 ? 16 : Math.max(5, Math.min(12, 36 / side));
  const band = side * thick + 12;
  const names = Math.min(Math.max(...places.map((each) => textWidth(each.label))) + 14, width * 0.38);
  const [start, end, top] = [names, width - 18, 6];
  const bottom = top + places.length * band;
  const x = (value: number) => start + share(value, scale) * (end - start);
  const flip = (at: number, wide = 0) => (rtl ? width - at - wide : at);
  const ends = stacked ? stack(series) : series.map((each) => each.numbers.map((n) => [0, n ?? 0]));
  const lines = seriesLines(chart, active.at, props.format);
  const place = active.at === null ? undefined : places[active.at];
  const ticks = tickTexts(scale.ticks, props.format);
  return (
    <>
      <ChartFrame
        width={width}
        height={bottom + 24}
        label={label}
        active={active}
        said={place ? `${place.label}: ${lines.map((each) => `${each.name} ${each.value}`).join(", ")}` : ""}
        onPoint={(_, y) =>
          active.point(Math.min(places.length - 1, Math.max(0, Math.floor((y - top) / band))))
        }
      >
        {active.at === null ? null : (
          <rect x={0} width={width} y={top + active.at * band} height={band} rx={4} className="fill-hover" />
        )}
        {scale.ticks.map((tick, index) => (
          <g key={tick} aria-hidden>
            <line
              x1={Math.round(flip(x(tick))) + 0.5}
              x2={Math.round(flip(x(tick))) + 0.5}
              y1={top}
              y2={bottom}
              className={tick === 0 ? "stroke-field-line" : "stroke-line"}
            />
            <text x={flip(x(tick))} y={bottom + 16} textAnchor="middle" className="fill-ink-2">
              {ticks[index]}
            </text>
          </g>
        ))}
        {places.map((each, at) => (
          <text
            key={each.label}
            x={flip(start - 8)}
            y={top + (at + 0.5) * band}
            dy="0.32em"
            textAnchor={rtl ? "start" : "end"}
            className="fill-ink"
            aria-hidden
          >
            {fitted(each.label, names - 12)}
          </text>
        ))}
        {series.map((each, order) => (
          <g key={each.name} fill={colourOf(order)} opacity={isRepeated(order) ? 0.6 : 1}>
            {each.numbers.map((number, at) => {
              const [from = 0, to = 0] = ends[order]?.[at] ?? [];
              if (number === null || number === 0) return null;
              const [low, high] = [x(Math.min(from, to)), x(Math.max(from, to))];
              const wide = Math.max(high - low, 1);
              const y = top + at * band + 6 + (stacked ? 0 : order * thick);
              // biome-ignore lint/suspicious/noArrayIndexKey: a place has no other identity
              return <rect key={at} x={flip(low, wide)} y={y} width={wide} height={thick - 1} rx={2} />;
            })}
          </g>
        ))}
      </ChartFrame>
      {place && series.length > 0 ? (
        <Tooltip
          x={flip(start)}
          y={Math.min(top + ((active.at ?? 0) + 1) * band, Math.max(bottom - 24 - 20 * lines.length, 0))}
          width={width}
          title={place.label}
          lines={lines}
        />
      ) : null}
    </>
  );
}
