import type { Series } from "@/widgets/chart/chart-data";
import type { Layout } from "@/widgets/chart/layout";
import { stack } from "@/widgets/chart/scale";
import { colourOf, isRepeated } from "./colours";

type Props = {
  series: Series[];
  centres: number[];
  layout: Layout;
  filled: boolean;
  stacked: boolean;
  active: number | null;
};
type Spot = { x: number; y: number; base: number };

const MOST_DOTS = 31;

/** Lines, broken where there is no value, with or without the area below. */
export function Lines({ series, centres, layout, filled, stacked, active }: Props) {
  const ends = stacked ? stack(series) : null;
  return (
    <g>
      {series.map((each, order) => {
        const spots = each.numbers.map((number, index): Spot | null => {
          const [base, top] = ends?.[order]?.[index] ?? [0, number];
          if (top === null || top === undefined || (number === null && !stacked)) return null;
          return { x: centres[index] ?? 0, y: layout.y(top), base: layout.y(base) };
        });
        const runs = runsOf(spots);
        const dots = spots.filter((spot) => spot !== null);
        const alone = runs.filter((run) => run.length === 1).flat();
        return (
          <g key={each.name} fill={colourOf(order)} stroke={colourOf(order)}>
            {filled
              ? runs.map((run) => (
                  <path key={run[0]?.x} d={area(run)} stroke="none" opacity={stacked ? 0.35 : 0.14} />
                ))
              : null}
            {runs.map((run) => (
              <path
                key={run[0]?.x}
                d={line(run)}
                fill="none"
                strokeWidth={2}
                strokeLinejoin="round"
                strokeLinecap="round"
                strokeDasharray={isRepeated(order) ? "5 4" : undefined}
              />
            ))}
            {(dots.length <= MOST_DOTS && !filled ? dots : alone).map((spot) => (
              <circle key={spot.x} cx={spot.x} cy={spot.y} r={2.5} stroke="none" />
            ))}
            {active !== null && spots[active] ? (
              <circle
                cx={spots[active]?.x}
                cy={spots[active]?.y}
                r={4.5}
                className="stroke-canvas"
                strokeWidth={2}
              />
            ) : null}
          </g>
        );
      })}
    </g>
  );
}

function runsOf(spots: (Spot | null)[]): Spot[][] {
  const runs: Spot[][] = [[]];
  for (const spot of spots) {
    if (spot) runs.at(-1)?.push(spot);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

const line = (run: Spot[]): string =>
  run.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

const area = (run: Spot[]): string =>
  `${line(run)}${run
    .toReversed()
    .map(({ x, base }) => `L${x.toFixed(1)} ${base.toFixed(1)}`)
    .join("")}Z`;
