import { type ReactNode, useMemo } from "react";
import { t } from "@/lib/t";
import { type ChartData, chartData, cloudsOf, MOST_SERIES, slicesOf } from "@/widgets/chart/chart-data";
import type { ChartProps, Data } from "@/widgets/spec";
import { BarsAcross, wantsAcross } from "./bars-across";
import { Legend } from "./legend";
import { Pie } from "./pie";
import { Plot } from "./plot";
import { Scatter } from "./scatter";
import { useWidth } from "./use-width";

type Props = { data: Data; props: ChartProps };

export function ChartWidget({ data, props }: Props) {
  const chart = useMemo(() => chartData(data, props), [data, props]);
  const [box, width] = useWidth();
  const label = `${t(`chart.${props.kind}`)}: ${chart.yTitle}, ${chart.x.title}`;
  return (
    <div className="px-2 pt-3 pb-2.5">
      <div ref={box} className="relative">
        {drawing({ data, props, chart, width, label })}
      </div>
    </div>
  );
}

type Drawn = Props & { chart: ChartData; width: number; label: string };

function drawing({ data, props, chart, width, label }: Drawn): ReactNode {
  const names = chart.series.map((each) => each.name);
  const partly =
    chart.seriesCount > MOST_SERIES
      ? t("widget.partSeries", { shown: MOST_SERIES, count: chart.seriesCount })
      : "";
  if (props.kind === "scatter") {
    const clouds = cloudsOf(data, props);
    if (clouds.every((cloud) => cloud.dots.length === 0)) return <Note text={t("widget.noNumbers")} />;
    return (
      <>
        <Scatter clouds={clouds} props={props} x={chart.x} width={width} label={label} />
        <Legend names={clouds.map((cloud) => cloud.name)} />
        <Note text={partly} />
      </>
    );
  }
  if (chart.series.every((each) => each.numbers.every((n) => n === null)))
    return <Note text={t("widget.noNumbers")} />;
  if (props.kind === "pie") {
    const { slices, left } = slicesOf(chart);
    return (
      <>
        {slices.length > 0 ? <Pie slices={slices} format={props.format} label={label} /> : null}
        <Note text={left > 0 ? t("widget.negativeSlices", { count: left }) : ""} />
      </>
    );
  }
  const Drawing = wantsAcross(chart, props, width) ? BarsAcross : Plot;
  return (
    <>
      <Drawing chart={chart} props={props} width={width} label={label} />
      <Legend names={names} />
      <Note text={partly} />
    </>
  );
}

function Note({ text }: { text: string }) {
  return text ? <p className="px-3 pt-2 text-center text-ink-2 text-small">{text}</p> : null;
}
