// One call of show_data for each widget, over the sample shop.
const orders = { from: { model: "order", as: "o" } };
const byStatus = {
  ...orders,
  select: [
    { field: "o.status", as: "status" },
    { fn: "count", as: "orders" },
    { fn: "sum", field: "o.total", as: "total" },
  ],
  groupBy: ["o.status"],
};
const byMonth = {
  ...orders,
  select: [
    { fn: "truncate", unit: "month", field: "o.ordered_on", as: "month" },
    { field: "o.customer.country", as: "country" },
    { fn: "sum", field: "o.total", as: "total" },
  ],
  groupBy: ["month", "country"],
  orderBy: [{ as: "month", direction: "desc" }],
};
const largest = {
  ...orders,
  select: [
    { field: "o.number" },
    { field: "o.customer.name", as: "customer" },
    { field: "o.status" },
    { field: "o.ordered_on" },
    { field: "o.total" },
  ],
  orderBy: [{ field: "o.total", direction: "desc" }],
};

export const drawn = [
  {
    widget: "chart",
    title: "Revenue by month and country",
    props: { kind: "bar", x: "month", y: "total", series: "country", stacked: true, format: "currency:EUR" },
    query: byMonth,
  },
  {
    widget: "table",
    title: "The largest orders",
    props: {
      totals: [{ column: "total", fn: "sum" }],
      formats: [{ column: "total", format: "currency:EUR" }],
    },
    query: largest,
  },
  {
    widget: "kpi",
    title: "All orders",
    props: { value: "total", format: "currency:EUR" },
    query: { ...orders, select: [{ fn: "sum", field: "o.total", as: "total" }] },
  },
  {
    widget: "card",
    title: "The largest order",
    props: { title: "number", subtitle: "customer", fields: ["status", "ordered_on", "total"] },
    query: { ...largest, limit: 1 },
  },
  {
    widget: "list",
    title: "Five large orders",
    props: { title: "number", subtitle: "customer", badge: "status" },
    query: { ...largest, limit: 5 },
  },
  {
    widget: "progress",
    title: "Orders by status",
    props: { value: "orders", label: "status" },
    query: byStatus,
  },
  {
    widget: "flow",
    title: "From country to status",
    props: { from: "country", to: "status", label: "orders" },
    query: {
      ...orders,
      select: [
        { field: "o.customer.country", as: "country" },
        { field: "o.status", as: "status" },
        { fn: "count", as: "orders" },
      ],
      groupBy: ["country", "status"],
      limit: 20,
    },
  },
  {
    widget: "pivot",
    title: "Totals by country and month",
    props: { rows: ["country"], columns: ["month"], measure: { column: "total", fn: "sum" }, totals: true },
    query: byMonth,
  },
];
