import type { Json, JsonObject } from "@/api/types";

export const widgetKinds = ["chart", "table", "kpi", "card", "list", "progress", "flow", "pivot"] as const;
export type WidgetKind = (typeof widgetKinds)[number];

export type ColumnType =
  | "string"
  | "text"
  | "integer"
  | "decimal"
  | "float"
  | "boolean"
  | "date"
  | "time"
  | "datetime"
  | "uuid"
  | "selection"
  | "json";
export type Column = { name: string; title: string; type: ColumnType };

/** The rows of a query, as the server gives them. */
export type Data = { columns: Column[]; rows: JsonObject[]; truncated: boolean };

/** `number`, `integer`, `percent`, or `currency:` and a code. */
export type Format = string;
export type Fn = "sum" | "avg" | "count" | "min" | "max";
export type ColumnFormat = { column: string; format: Format };
export type Total = { column: string; fn: Fn };
export type Sort = { column: string; descending?: boolean };
export type Measure = Total & { format?: Format };

export type ChartKind = "bar" | "line" | "area" | "pie" | "scatter";
export type ChartProps = {
  kind: ChartKind;
  x: string;
  y: string | string[];
  series?: string;
  stacked?: boolean;
  format?: Format;
};
export type TableProps = { columns?: string[]; totals?: Total[]; sortBy?: Sort; formats?: ColumnFormat[] };
export type KpiProps = {
  value: string;
  label?: string;
  delta?: string;
  target?: string;
  format?: Format;
  deltaFormat?: Format;
  lowerIsBetter?: boolean;
  note?: string;
};
export type CardProps = { title: string; subtitle?: string; fields?: string[]; formats?: ColumnFormat[] };
export type ListProps = { title: string; subtitle?: string; badge?: string; formats?: ColumnFormat[] };
export type ProgressProps = { value: string; label: string; max?: number; target?: string; format?: Format };
export type FlowProps = {
  from: string;
  to: string;
  label?: string;
  nodeLabel?: string;
  totals?: boolean;
  format?: Format;
};
export type PivotProps = { rows: string[]; columns: string[]; measure: Measure; totals?: boolean };

export type PropsOf = {
  chart: ChartProps;
  table: TableProps;
  kpi: KpiProps;
  card: CardProps;
  list: ListProps;
  progress: ProgressProps;
  flow: FlowProps;
  pivot: PivotProps;
};

/** A widget whose props hold what the schema says, and name columns that are there. */
export type Widget = { [Kind in WidgetKind]: { kind: Kind; props: PropsOf[Kind] } }[WidgetKind];

/** Why a widget is not drawn as asked; its rows are then a table. */
export type Problem =
  | { kind: "unknown-widget"; widget: string }
  | { kind: "unknown-columns"; names: string[] }
  | { kind: "props"; path: string; rule: string };

/** What `show_data` answered, ready to be drawn. */
export type Shown = {
  title: string;
  asOf: string | null;
  data: Data;
  widget: Widget;
  problem: Problem | null;
};

/** One cell. Names such as `constructor`, which every object has, are only found when a row has them itself. */
export const cellOf = (row: JsonObject, column: string): Json =>
  Object.hasOwn(row, column) ? (row[column] ?? null) : null;

export const isNumeric = (type: ColumnType): boolean =>
  type === "integer" || type === "decimal" || type === "float";

export const isTemporal = (type: ColumnType): boolean => type === "date" || type === "datetime";

/** The column of that name. Only columns that `readShown` has found are asked for. */
export const columnOf = (data: Data, name: string): Column =>
  data.columns.find((each) => each.name === name) ?? { name, title: name, type: "string" };
