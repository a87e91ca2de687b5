import { cellText } from "@/api/json";
import type { Json } from "@/api/types";
import { add, compare, decimalOf, textOf, zero } from "./decimal";
import { labelText, valueText } from "./format";
import { isNothing } from "./sort";
import { cellOf, columnOf, type Data, type FlowProps } from "./spec";

export type FlowNode = { id: string; label: string; total: string | null };
export type FlowEdge = { from: string; to: string; label: string };
export type Flow = { nodes: FlowNode[]; edges: FlowEdge[] };

type Arrow = { from: string; to: string; values: Json[] };

/** Rows as boxes and arrows. Arrows between the same two boxes become one. */
export function flowOf(data: Data, props: FlowProps): Flow {
  const names = new Map<string, string>();
  const arrows = new Map<string, Arrow>();
  const [fromColumn, toColumn] = [columnOf(data, props.from), columnOf(data, props.to)];
  for (const row of data.rows) {
    const [start, end] = [cellOf(row, props.from), cellOf(row, props.to)];
    const [from, to] = [cellText(start), cellText(end)];
    if (!isNothing(start)) nameNode(names, from, labelText(start, fromColumn));
    if (!isNothing(end)) nameNode(names, to, labelText(end, toColumn));
    const given = props.nodeLabel ? cellText(cellOf(row, props.nodeLabel)) : "";
    const named = isNothing(start) ? to : from;
    if (given && named) names.set(named, given);
    if (isNothing(start) || isNothing(end)) continue;
    const id = JSON.stringify([from, to]);
    const arrow = arrows.get(id) ?? { from, to, values: [] };
    arrows.set(id, arrow);
    if (props.label) arrow.values.push(cellOf(row, props.label));
  }
  const all = [...arrows.values()];
  return {
    nodes: [...names].map(([id, label]) => ({
      id,
      label,
      total: props.totals ? totalOf(id, all, data, props) : null,
    })),
    edges: all.map(({ from, to, values }) => ({ from, to, label: together(values, data, props) })),
  };
}

function nameNode(names: Map<string, string>, id: string, label: string): void {
  if (!names.has(id)) names.set(id, label);
}

/** Numbers are added up; different words stand side by side. */
function together(values: Json[], data: Data, props: FlowProps): string {
  if (!props.label) return "";
  const column = columnOf(data, props.label);
  const numbers = values.flatMap((each) => decimalOf(each) ?? []);
  if (numbers.length > 0 && numbers.length === values.length && values.length > 1)
    return valueText(textOf(numbers.reduce(add, zero)), { ...column, type: "decimal" }, props.format);
  const isNumber = numbers.length > 0;
  const texts = values.map((each) => valueText(each, column, isNumber ? props.format : undefined));
  return [...new Set(texts.filter(Boolean))].join(", ");
}

function totalOf(id: string, arrows: Arrow[], data: Data, props: FlowProps): string | null {
  if (!props.label) return null;
  const sum = (some: Arrow[]) =>
    some.flatMap((each) => each.values.flatMap((value) => decimalOf(value) ?? [])).reduce(add, zero);
  const [coming, going] = [
    sum(arrows.filter((each) => each.to === id && each.from !== id)),
    sum(arrows.filter((each) => each.from === id && each.to !== id)),
  ];
  const total = compare(coming, zero) === 0 ? going : coming;
  return valueText(textOf(total), { ...columnOf(data, props.label), type: "decimal" }, props.format);
}
