// What `show_data` may answer. For the tests and the gallery; nothing of the app imports this.
import type { JsonObject } from "@/api/types";
import type { Column, ColumnType, PropsOf, WidgetKind } from "./spec";

type Fixture<Kind extends WidgetKind> = {
  widget: Kind;
  title: string;
  props: PropsOf[Kind];
  columns: Column[];
  rows: JsonObject[];
  truncated: boolean;
  asOf?: string;
};
export type AnyFixture = { [Kind in WidgetKind]: Fixture<Kind> }[WidgetKind];

/** `order:string:Order` and so on. */
const columns = (...list: string[]): Column[] =>
  list.map((each) => {
    const [name = "", type = "string", title = name] = each.split(":");
    return { name, title, type: type as ColumnType };
  });
const months = Array.from({ length: 10 }, (_, index) => `2026-${String(index + 1).padStart(2, "0")}-01`);
const wave = (index: number, base: number, height: number): string =>
  (base + height * Math.sin(index * 1.7) + index * height * 0.25).toFixed(2);
const regions = ["DACH", "Nordics", "Iberia", "UK & IE"];
const monthly = months.map((month, index) => ({
  month,
  online: wave(index, 110_000, 20_000),
  stores: wave(index + 2, 70_000, 9_000),
}));
const monthlyColumns = columns("month:date:Month", "online:decimal:Online", "stores:decimal:Stores");
const orders = [
  ["SO-10482", "Ada Byron", "1840.00", "Paid", "2026-11-02"],
  ["SO-10481", "Grace Hopper", "1629.50", "Paid", "2026-11-01"],
  ["SO-10480", "Çelik Ltd", "-1418.25", "Refunded", "2026-10-30"],
  ["SO-10479", "Łukasz Nowak", null, "Open", null],
  ["SO-10478", "北京商店有限公司", "996.00", "Paid", "2026-10-28"],
  ["SO-10477", "مؤسسة النور", "12345678901234567890.12", "Open", "2026-10-27"],
].map(([order, customer, total, status, day]) => ({ order, customer, total, status, day })) as JsonObject[];
const orderColumns = columns(
  "order:string:Order",
  "customer:string:Customer",
  "total:decimal:Total",
  "status:selection:Status",
  "day:date:Day",
);
const long =
  "A name that goes on and on, as names of products do when somebody writes all there is to say into one field";

export const fixtures = {
  bar: {
    widget: "chart",
    title: "Revenue by month",
    props: { kind: "bar", x: "month", y: ["online", "stores"], format: "currency:EUR" },
    columns: monthlyColumns,
    rows: monthly,
    truncated: false,
    asOf: "2026-11-30T22:47:00Z",
  },
  stackedBar: {
    widget: "chart",
    title: "Revenue by month, stacked",
    props: { kind: "bar", x: "month", y: ["online", "stores"], stacked: true, format: "currency:EUR" },
    columns: monthlyColumns,
    rows: monthly,
    truncated: false,
  },
  negativeBar: {
    widget: "chart",
    title: "Change against the year before",
    props: { kind: "bar", x: "region", y: "change", series: "year", format: "percent" },
    columns: columns("region:string:Region", "year:string:Year", "change:float:Change"),
    rows: regions.flatMap((region, index) => [
      { region, year: "2025", change: 0.08 - index * 0.05 },
      { region, year: "2026", change: index === 1 ? null : -0.06 + index * 0.04 },
    ]),
    truncated: false,
  },
  longBar: {
    widget: "chart",
    title: "Sold by product",
    props: { kind: "bar", x: "product", y: "sold" },
    columns: columns("product:string:Product", "sold:integer:Sold"),
    rows: ["Mug, stoneware, large", long, "Tea, Darjeeling", "Kettle", "مصباح مكتب صغير", "大きな急須"].map(
      (product, index) => ({ product, sold: 940 - index * 140 }),
    ),
    truncated: false,
  },
  line: {
    widget: "chart",
    title: "Orders by day and channel",
    props: { kind: "line", x: "day", y: "orders", series: "channel" },
    columns: columns("day:date:Day", "channel:selection:Channel", "orders:integer:Orders"),
    rows: Array.from({ length: 60 }, (_, index) => ({
      day: new Date(Date.UTC(2026, 8, 1 + Math.floor(index / 2))).toISOString().slice(0, 10),
      channel: index % 2 === 0 ? "Online" : "Stores",
      orders: index % 22 === 8 ? null : Math.round(120 + 30 * Math.sin(index / 5) - (index % 2) * 70),
    })),
    truncated: false,
  },
  area: {
    widget: "chart",
    title: "Open tickets",
    props: { kind: "area", x: "month", y: ["online", "stores"], stacked: true },
    columns: monthlyColumns,
    rows: monthly,
    truncated: false,
  },
  pie: {
    widget: "chart",
    title: "Share of each country",
    props: { kind: "pie", x: "country", y: "revenue", format: "currency:EUR" },
    columns: columns("country:string:Country", "revenue:decimal:Revenue"),
    rows: [
      "Germany",
      "France",
      "Spain",
      "Italy",
      "Poland",
      "Sweden",
      "Norway",
      "Ireland",
      "Malta",
      "Refunds",
    ].map((country, index) => ({
      country,
      revenue: index === 9 ? "-900.00" : (52_000 / (index + 1)).toFixed(2),
    })),
    truncated: false,
  },
  scatter: {
    widget: "chart",
    title: "Price and margin",
    props: { kind: "scatter", x: "price", y: "margin", series: "group", format: "percent" },
    columns: columns("price:decimal:Price", "margin:float:Margin", "group:string:Group"),
    rows: Array.from({ length: 100 }, (_, index) => ({
      price: (5 + ((index * 37) % 95)).toFixed(2),
      margin: 0.1 + ((index * 53) % 40) / 100,
      group: ["Kitchen", "Tea", "Light"][index % 3] ?? "",
    })),
    truncated: true,
  },
  kpi: {
    widget: "kpi",
    title: "This year so far",
    props: {
      value: "value",
      label: "name",
      delta: "delta",
      format: "number",
      deltaFormat: "percent",
      note: "vs. same months 2025",
    },
    columns: columns("name:string:Figure", "value:decimal:Value", "delta:float:Change"),
    rows: [
      { name: "Revenue", value: "1843200", delta: 0.124 },
      { name: "Orders", value: "24117", delta: 0.081 },
      { name: "Average order", value: "76.43", delta: -0.006 },
    ],
    truncated: false,
  },
  kpiTarget: {
    widget: "kpi",
    title: "Revenue against the plan",
    props: { value: "revenue", target: "plan", delta: "delta", format: "currency:EUR" },
    columns: columns("revenue:decimal:Revenue", "plan:decimal:Plan", "delta:decimal:Change"),
    rows: [{ revenue: "1234.50", plan: "1500.00", delta: "-20.10" }],
    truncated: false,
  },
  table: {
    widget: "table",
    title: "Top orders",
    props: {
      totals: [
        { column: "total", fn: "sum" },
        { column: "order", fn: "count" },
      ],
      sortBy: { column: "total", descending: true },
      formats: [{ column: "total", format: "currency:EUR" }],
    },
    columns: orderColumns,
    rows: orders,
    truncated: false,
  },
  hundred: {
    widget: "table",
    title: "All invoices",
    props: {
      totals: [
        { column: "amount", fn: "sum" },
        { column: "amount", fn: "avg" },
      ],
    },
    columns: columns(
      "number:string:Number",
      "customer:string:Customer",
      "amount:decimal:Amount",
      "paid:boolean:Paid",
      "at:datetime:Entered",
    ),
    rows: Array.from({ length: 100 }, (_, index) => ({
      number: `INV-${2000 + index}`,
      customer: index % 9 === 0 ? long : `Customer ${index % 17}`,
      amount: (((index * 7919) % 100_000) / 100).toFixed(2),
      paid: index % 3 === 0,
      at: `2026-11-${String(1 + (index % 28)).padStart(2, "0")}T09:30:00Z`,
    })),
    truncated: true,
  },
  card: {
    widget: "card",
    title: "Customers without an order this year",
    props: {
      title: "name",
      subtitle: "city",
      fields: ["since", "spent", "notes"],
      formats: [{ column: "spent", format: "currency:EUR" }],
    },
    columns: columns(
      "name:string:Name",
      "city:string:City",
      "since:date:Customer since",
      "spent:decimal:Spent",
      "notes:text:Notes",
    ),
    rows: [
      {
        name: "Ada Byron",
        city: "London",
        since: "2021-04-01",
        spent: "8210.50",
        notes: "Prefers the phone.",
      },
      { name: "<img src=x onerror=alert(1)>", city: "=HYPERLINK(1)", since: null, spent: null, notes: long },
      { name: "مؤسسة النور", city: "القاهرة", since: "2024-01-15", spent: "-12.00", notes: null },
    ],
    truncated: false,
  },
  list: {
    widget: "list",
    title: "Overdue invoices",
    props: { title: "number", subtitle: "customer", badge: "days" },
    columns: columns("number:string:Number", "customer:string:Customer", "days:string:Days overdue"),
    rows: Array.from({ length: 14 }, (_, index) => ({
      number: `INV-${2000 + index}`,
      customer: index === 3 ? long : `Customer ${index}`,
      days: `${40 - index} days`,
    })),
    truncated: false,
  },
  progress: {
    widget: "progress",
    title: "Sales by region against the plan",
    props: { value: "sold", target: "plan", label: "region", format: "currency:EUR" },
    columns: columns("region:string:Region", "sold:decimal:Sold", "plan:decimal:Plan"),
    rows: regions.map((region, index) => ({
      region,
      sold: index === 3 ? null : String(21_000 + index * 16_000),
      plan: "50000",
    })),
    truncated: false,
  },
  flow: {
    widget: "flow",
    title: "Where orders go, last 30 days",
    props: { from: "from", to: "to", label: "orders", totals: true },
    columns: columns("from:string:From", "to:string:To", "orders:integer:Orders"),
    rows: [
      ["Cart", "Abandoned", 3044],
      ["Cart", "Paid", 8120],
      ["Paid", "On hold", 718],
      ["Paid", "Picked", 7402],
      ["On hold", "Picked", 402],
      ["Picked", "Shipped", 7700],
      ["Shipped", "Delivered", 7391],
      ["Shipped", "Returned", 309],
    ].map(([from, to, count]) => ({ from, to, orders: count })) as JsonObject[],
    truncated: false,
  },
  flowLoop: {
    widget: "flow",
    title: "States of a ticket",
    props: { from: "state", to: "next", label: "by", nodeLabel: "name" },
    columns: columns("state:string:State", "name:string:Name", "next:string:Next", "by:string:By"),
    rows: [
      { state: "new", name: "New", next: "open", by: "assigned" },
      { state: "open", name: "Open", next: "waiting", by: "asked back" },
      { state: "waiting", name: "Waits for the customer", next: "open", by: "answered" },
      { state: "open", name: "Open", next: "open", by: "handed over" },
      { state: "open", name: "Open", next: "done", by: "solved" },
      { state: "done", name: long, next: null, by: null },
    ],
    truncated: false,
  },
  pivot: {
    widget: "pivot",
    title: "Revenue by region and quarter",
    props: {
      rows: ["region"],
      columns: ["quarter"],
      measure: { column: "revenue", fn: "sum", format: "currency:EUR" },
      totals: true,
    },
    columns: columns("region:string:Region", "quarter:string:Quarter", "revenue:decimal:Revenue"),
    rows: regions.flatMap((region, index) =>
      [1, 2, 3, 4].map((quarter) => ({
        region,
        quarter: `Q${quarter}`,
        revenue:
          region === "Iberia" && quarter === 2
            ? "-4100.50"
            : String(60_000 + index * 21_000 + quarter * 9_000),
      })),
    ),
    truncated: false,
  },
  deepPivot: {
    widget: "pivot",
    title: "Orders by region, channel, year and half",
    props: {
      rows: ["region", "channel"],
      columns: ["year", "half"],
      measure: { column: "order", fn: "count" },
      totals: true,
    },
    columns: columns(
      "region:string:Region",
      "channel:string:Channel",
      "year:integer:Year",
      "half:string:Half",
      "order:string:Order",
    ),
    rows: Array.from({ length: 90 }, (_, index) => ({
      region: regions[index % 4] ?? "",
      channel: index % 3 === 0 ? "Stores" : "Online",
      year: 2025 + (index % 2),
      half: index % 5 < 2 ? "H1" : "H2",
      order: `SO-${index}`,
    })),
    truncated: true,
  },
} satisfies Record<string, AnyFixture>;

/** Answers that cannot be drawn as asked. */
export const odd = {
  empty: { ...fixtures.bar, rows: [] },
  oneRow: { ...fixtures.bar, rows: monthly.slice(0, 1) },
  noNumbers: { ...fixtures.line, rows: fixtures.line.rows.map((row) => ({ ...row, orders: null })) },
  huge: {
    ...fixtures.longBar,
    title: "Huge numbers",
    rows: [1e6, 5e20, -3e20, 9e20].map((sold, index) => ({ product: `P${index}`, sold })),
  },
  unknownColumn: { ...fixtures.bar, props: { kind: "bar", x: "month", y: "revenu" } },
  badProps: { ...fixtures.bar, props: { kind: "donut", x: "month", y: "online" } },
  unknownWidget: { ...fixtures.table, widget: "map" },
  manySeries: {
    ...fixtures.line,
    title: "Forty series",
    rows: Array.from({ length: 100 }, (_, index) => ({
      day: `2026-11-${String(1 + (index % 3)).padStart(2, "0")}`,
      channel: `Channel ${index % 40}`,
      orders: index,
    })),
  },
  hundredBars: {
    ...fixtures.longBar,
    title: "A hundred bars",
    rows: Array.from({ length: 100 }, (_, index) => ({
      product: `Product ${index + 1}`,
      sold: (index * 37) % 101,
    })),
    truncated: true,
  },
} satisfies Record<string, JsonObject>;
