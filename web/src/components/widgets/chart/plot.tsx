import { pageDirection } from "@/lib/page-direction";
import { axisLabels } from "@/widgets/chart/axis-label";
import type { ChartData } from "@/widgets/chart/chart-data";
import { centresOf, layoutOf, nearest } from "@/widgets/chart/layout";
import { extentOf, scaleOf } from "@/widgets/chart/scale";
import { numberText, tickTexts } from "@/widgets/format";
import type { ChartProps } from "@/widgets/spec";
import { PlaceAxis, ValueAxis } from "./axes";
import { Bars } from "./bars";
import { ChartFrame } from "./chart-frame";
import { Lines } from "./lines";
import { Tooltip } from "./tooltip";
import { useActive } from "./use-active";

type Props = { chart: ChartData; props: ChartProps; width: number; label: string };

/** Bars, lines and areas: values up, places along. */
export function Plot({ chart, props, width, label }: Props) {
  const { kind, format } = props;
  const { series, places } = chart;
  const active = useActive(places.length);
  const stacked = Boolean(props.stacked) && kind !== "line";
  const scale = scaleOf(...extentOf(series, kind, stacked));
  const ticks = tickTexts(scale.ticks, format);
  const height = width < 480 ? 210 : 250;
  const layout = layoutOf({ width, height, rtl: pageDirection() === "rtl" }, scale, ticks);
  const centres = centresOf(chart, kind, layout);
  const lines = seriesLines(chart, active.at, format);
  const place = active.at === null ? undefined : places[active.at];
  const x = active.at === null ? 0 : (centres[active.at] ?? 0);
  const band = (layout.right - layout.left) / Math.max(places.length, 1);
  return (
    <>
      <ChartFrame
        width={width}
        height={height}
        label={label}
        active={active}
        said={place ? `${place.label}: ${lines.map((each) => `${each.name} ${each.value}`).join(", ")}` : ""}
        onPoint={(at) => active.point(nearest(centres, at))}
      >
        {place && kind === "bar" ? (
          <rect
            x={x - band / 2}
            width={band}
            y={layout.top}
            height={layout.bottom - layout.top}
            className="fill-hover"
          />
        ) : null}
        <ValueAxis layout={layout} ticks={scale.ticks} labels={ticks} />
        {place && kind !== "bar" ? (
          <line x1={x} x2={x} y1={layout.top} y2={layout.bottom} className="stroke-field-line" />
        ) : null}
        {kind === "bar" ? (
          <Bars series={series} centres={centres} layout={layout} stacked={stacked} />
        ) : (
          <Lines
            series={series}
            centres={centres}
            layout={layout}
            filled={kind === "area"}
            stacked={stacked}
            active={active.at}
          />
        )}
        <PlaceAxis layout={layout} centres={centres} labels={axisLabels(places, chart.x)} />
      </ChartFrame>
      {place ? <Tooltip x={x} width={width} title={place.label} lines={lines} /> : null}
    </>
  );
}

/** What each series has at one place; those without a value there are left out. */
export function seriesLines({ series }: ChartData, at: number | null, format: string | undefined) {
  return series.flatMap((each, colour) => {
    const exact = at === null ? null : each.exact[at];
    return exact ? [{ name: each.name, value: numberText(exact, format), colour }] : [];
  });
}
