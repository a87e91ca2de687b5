import type { Series } from "@/widgets/chart/chart-data";
import type { Layout } from "@/widgets/chart/layout";
import { stack } from "@/widgets/chart/scale";
import { colourOf, isRepeated } from "./colours";

type Props = { series: Series[]; centres: number[]; layout: Layout; stacked: boolean };

export function Bars({ series, centres, layout, stacked }: Props) {
  const band = (layout.right - layout.left) / Math.max(centres.length, 1);
  const side = stacked ? 1 : series.length;
  const group = Math.min(band * 0.78, side * 44);
  const thick = Math.max(group / side - (side > 1 && group / side > 4 ? 1.5 : 0), 0.75);
  const ends = stacked ? stack(series) : series.map(({ numbers }) => numbers.map((each) => [0, each ?? 0]));
  const zero = layout.y(0);
  return (
    <g>
      {series.map((each, order) => (
        <g key={each.name} fill={colourOf(order)} opacity={isRepeated(order) ? 0.6 : 1}>
          {each.numbers.map((number, index) => {
            const [from = 0, to = 0] = ends[order]?.[index] ?? [];
            if (number === null || number === 0) return null;
            const at = stacked ? 0 : layout.rtl ? side - 1 - order : order;
            const x = (centres[index] ?? 0) - group / 2 + at * (group / side);
            const round = stacked ? 1 : Math.min(3, thick / 3);
            const y1 = stacked ? layout.y(from) : zero;
            // biome-ignore lint/suspicious/noArrayIndexKey: a place has no other identity
            return <path key={index} d={bar(x, thick, y1, layout.y(to), round)} />;
          })}
        </g>
      ))}
    </g>
  );
}

/** A bar from one height to another, round where it ends. At least a hair is seen of the smallest value. */
function bar(x: number, width: number, from: number, to: number, round: number): string {
  const end = Math.abs(to - from) < 1 ? from + (to <= from ? -1 : 1) : to;
  const r = Math.min(round, Math.abs(end - from));
  const turn = end < from ? r : -r;
  return `M${x} ${from}V${end + turn}Q${x} ${end} ${x + r} ${end}H${x + width - r}Q${x + width} ${end} ${x + width} ${end + turn}V${from}Z`;
}
