import { pageDirection } from "@/lib/page-direction";
import type { Cloud } from "@/widgets/chart/chart-data";
import { layoutOf } from "@/widgets/chart/layout";
import { scaleOf, share } from "@/widgets/chart/scale";
import { dateText, tickTexts } from "@/widgets/format";
import { type ChartProps, type Column, isTemporal } from "@/widgets/spec";
import { PlaceAxis, ValueAxis } from "./axes";
import { ChartFrame } from "./chart-frame";
import { colourOf, isRepeated } from "./colours";
import { Tooltip } from "./tooltip";
import { useActive } from "./use-active";

type Props = { clouds: Cloud[]; props: ChartProps; x: Column; width: number; label: string };

/** A dot a row, by two numbers. */
export function Scatter({ clouds, props, x, width, label }: Props) {
  const dots = clouds
    .flatMap((cloud, colour) => cloud.dots.map((dot) => ({ ...dot, colour, name: cloud.name })))
    .sort((a, b) => a.x - b.x);
  const active = useActive(dots.length);
  const [up, along] = [spread(dots.map((dot) => dot.y)), spread(dots.map((dot) => dot.x))];
  const [yScale, xScale] = [scaleOf(...up), scaleOf(...along)];
  const labels = tickTexts(yScale.ticks, props.format);
  const box = { width, height: width < 480 ? 210 : 250, rtl: pageDirection() === "rtl" };
  const layout = layoutOf(box, yScale, labels);
  const at = (value: number) => {
    const plain = layout.left + 8 + share(value, xScale) * (layout.right - layout.left - 16);
    return layout.rtl ? layout.left + layout.right - plain : plain;
  };
  const looked = active.at === null ? undefined : dots[active.at];
  const xLabels = isTemporal(x.type)
    ? xScale.ticks.map((tick) => dateText(new Date(tick).toISOString().slice(0, 10)))
    : tickTexts(xScale.ticks, undefined);
  const find = (px: number, py: number) => {
    const far = dots.map((dot) => Math.hypot(at(dot.x) - px, layout.y(dot.y) - py));
    const least = Math.min(...far);
    active.point(least < 24 ? far.indexOf(least) : null);
  };
  return (
    <>
      <ChartFrame
        width={width}
        height={box.height}
        label={label}
        active={active}
        said={looked ? `${looked.name}: ${looked.text}` : ""}
        onPoint={find}
      >
        <ValueAxis layout={layout} ticks={yScale.ticks} labels={labels} />
        {dots.map((dot, index) => (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity
            key={index}
            cx={at(dot.x)}
            cy={layout.y(dot.y)}
            r={dot === looked ? 6 : 4}
            fill={colourOf(dot.colour)}
            stroke={colourOf(dot.colour)}
            fillOpacity={isRepeated(dot.colour) ? 0.15 : 0.65}
          />
        ))}
        <PlaceAxis layout={layout} centres={xScale.ticks.map(at)} labels={xLabels} />
      </ChartFrame>
      {looked ? (
        <Tooltip
          x={at(looked.x)}
          width={width}
          title={looked.name}
          lines={[{ name: looked.text, value: "", colour: looked.colour }]}
        />
      ) : null}
    </>
  );
}

function spread(values: number[]): [number, number] {
  if (values.length === 0) return [0, 1];
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return min >= 0 && min < max / 2 ? [0, max] : [min, max];
}
