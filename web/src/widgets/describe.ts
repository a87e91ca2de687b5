import { t } from "@/lib/t";
import { aggregated } from "./aggregate";
import { type ChartData, chartData, cloudsOf, slicesOf } from "./chart/chart-data";
import { compare, type Decimal } from "./decimal";
import { flowOf } from "./flow";
import { numberText, valueText } from "./format";
import { pivotOf } from "./pivot";
import { cellOf, columnOf, type Data, type KpiProps, type PivotProps, type Shown } from "./spec";

/** One or two sentences that say what a widget shows to those who do not see it. */
export function describe({ data, widget }: Shown): string {
  if (data.rows.length === 0) return t("widget.noRows");
  const count = data.rows.length;
  switch (widget.kind) {
    case "chart":
      return describeChart(data, widget.props);
    case "table": {
      const names = widget.props.columns ?? data.columns.map((each) => each.name);
      return t("describe.table", { count, columns: titles(data, names) });
    }
    case "kpi":
      return describeFigures(data, widget.props);
    case "card":
    case "list":
      return t("describe.list", { count, title: columnOf(data, widget.props.title).title });
    case "progress": {
      const { label, value } = widget.props;
      return t("describe.progress", {
        count,
        value: columnOf(data, value).title,
        label: columnOf(data, label).title,
      });
    }
    case "flow": {
      const flow = flowOf(data, widget.props);
      return t("describe.flow", { nodes: flow.nodes.length, count: flow.edges.length });
    }
    case "pivot":
      return describePivot(data, widget.props);
  }
}

const titles = (data: Data, names: string[]): string =>
  names.map((name) => columnOf(data, name).title).join(", ");

type ChartProps = Extract<Shown["widget"], { kind: "chart" }>["props"];

function describeChart(data: Data, props: ChartProps): string {
  const kind = t(`chart.${props.kind}`);
  const chart = chartData(data, props);
  const what = { kind, y: chart.yTitle, x: chart.x.title };
  if (props.kind === "scatter") {
    const count = cloudsOf(data, props).reduce((sum, each) => sum + each.dots.length, 0);
    return t("describe.scatter", { ...what, count });
  }
  if (props.kind === "pie") {
    const { slices } = slicesOf(chart);
    const [largest] = slices;
    const intro = t("describe.pie", { ...what, count: slices.length });
    if (!largest) return intro;
    const value = numberText(largest.exact, props.format);
    return `${intro} ${t("describe.largest", { name: largest.name, value })}`;
  }
  const span = { first: chart.places[0]?.label ?? "", last: chart.places.at(-1)?.label ?? "" };
  const intro = t("describe.chart", { ...what, count: chart.places.length, ...span });
  return [
    intro,
    ...chart.series.slice(0, 4).map((each) => describeSeries(each, chart, props.format)),
    more(chart),
  ]
    .filter(Boolean)
    .join(" ");
}

const more = (chart: ChartData): string =>
  chart.seriesCount > 4 ? t("describe.moreSeries", { count: chart.seriesCount - 4 }) : "";

/** The lowest and highest value of a series, and where. */
function describeSeries(
  { name, exact }: ChartData["series"][number],
  { places }: ChartData,
  format?: string,
) {
  const there = exact.flatMap((value, index) =>
    value ? [{ value, place: places[index]?.label ?? "" }] : [],
  );
  const [first] = there;
  if (!first) return t("describe.seriesEmpty", { name });
  const low = there.reduce((a, b) => (compare(b.value, a.value) < 0 ? b : a), first);
  const high = there.reduce((a, b) => (compare(b.value, a.value) > 0 ? b : a), first);
  const text = (value: Decimal) => numberText(value, format);
  return t("describe.series", {
    name,
    low: text(low.value),
    lowAt: low.place,
    high: text(high.value),
    highAt: high.place,
  });
}

const MOST_FIGURES = 6;

function describeFigures(data: Data, props: KpiProps): string {
  const column = columnOf(data, props.value);
  const parts = data.rows.slice(0, MOST_FIGURES).map((row) => {
    const name = props.label ? valueText(cellOf(row, props.label), columnOf(data, props.label)) : "";
    const value = valueText(cellOf(row, props.value), column, props.format) || t("widget.noValue");
    return t("describe.figure", { name: name || column.title, value });
  });
  const rest = data.rows.length - MOST_FIGURES;
  return [...parts, rest > 0 ? t("describe.moreFigures", { count: rest }) : ""].filter(Boolean).join(" ");
}

function describePivot(data: Data, props: PivotProps): string {
  const pivot = pivotOf(data, props);
  const column = columnOf(data, props.measure.column);
  const fn = t(`fn.${props.measure.fn}`);
  const intro = t("describe.pivot", {
    fn,
    measure: column.title,
    rows: titles(data, props.rows),
    columns: titles(data, props.columns),
    down: pivot.down.length,
    across: pivot.across.length,
  });
  const format = props.measure.fn === "count" ? undefined : props.measure.format;
  const all = valueText(pivot.totals.all, aggregated(column, props.measure.fn), format);
  return props.totals && all ? `${intro} ${t("describe.overall", { value: all })}` : intro;
}
