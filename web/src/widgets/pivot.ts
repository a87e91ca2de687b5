import { cellText } from "@/api/json";
import type { Json, JsonObject } from "@/api/types";
import { aggregate, aggregated } from "./aggregate";
import { compareValues, isNothing } from "./sort";
import { type Column, cellOf, columnOf, type Data, isNumeric, isTemporal, type PivotProps } from "./spec";

/** One line of a cross table, named by its values from the outermost to the innermost. */
export type Key = { id: string; values: Json[] };
export type Pivot = {
  down: Key[];
  across: Key[];
  cells: Json[][];
  /** Of each line down, of each across, and of all; made of the rows themselves, not of the cells. */
  totals: { down: Json[]; across: Json[]; all: Json };
  column: Column;
};

export function pivotOf(data: Data, props: PivotProps): Pivot {
  const { measure } = props;
  const down = keysOf(data, props.rows);
  const across = keysOf(data, props.columns);
  const source = columnOf(data, measure.column);
  const groups = new Map<string, Json[]>();
  for (const row of data.rows) {
    const [side, top] = [idOf(row, props.rows), idOf(row, props.columns)];
    for (const id of [cellId(side, top), cellId(side, null), cellId(null, top), cellId(null, null)])
      groups.set(id, [...(groups.get(id) ?? []), cellOf(row, measure.column)]);
  }
  const value = (side: string | null, top: string | null): Json => {
    const values = groups.get(cellId(side, top));
    return values ? aggregate(values, measure.fn, source) : null;
  };
  return {
    down,
    across,
    cells: down.map((side) => across.map((top) => value(side.id, top.id))),
    totals: {
      down: down.map((side) => value(side.id, null)),
      across: across.map((top) => value(null, top.id)),
      all: value(null, null),
    },
    column: aggregated(source, measure.fn),
  };
}

const cellId = (side: string | null, top: string | null): string => JSON.stringify([side, top]);
const idOf = (row: JsonObject, names: string[]): string =>
  JSON.stringify(names.map((name) => cellText(cellOf(row, name))));

/** The lines in order: numbers and dates by size, words as the query gave them; inner lines stay together. */
function keysOf(data: Data, names: string[]): Key[] {
  const keys = new Map<string, Key>();
  for (const row of data.rows) {
    const id = idOf(row, names);
    if (!keys.has(id)) keys.set(id, { id, values: names.map((name) => cellOf(row, name)) });
  }
  const list = [...keys.values()];
  const ranks = names.map((name, index) => ranksOf(list, index, columnOf(data, name)));
  return list.sort((a, b) => {
    for (const [index, rank] of ranks.entries()) {
      const apart = (rank.get(cellText(a.values[index])) ?? 0) - (rank.get(cellText(b.values[index])) ?? 0);
      if (apart !== 0) return apart;
    }
    return 0;
  });
}

function ranksOf(keys: Key[], index: number, column: Column): Map<string, number> {
  const values = [...new Map(keys.map((key) => [cellText(key.values[index]), key.values[index] ?? null]))];
  if (isNumeric(column.type) || isTemporal(column.type) || column.type === "time")
    values.sort(([, a], [, b]) =>
      isNothing(a) || isNothing(b)
        ? Number(isNothing(a)) - Number(isNothing(b))
        : compareValues(a, b, column),
    );
  return new Map(values.map(([text], rank) => [text, rank]));
}

/** How many lines beside this one share its outer names; 0 when one before already spans this. */
export function spanOf(keys: Key[], at: number, depth: number): number {
  const outer = (key: Key | undefined) => JSON.stringify(key?.values.slice(0, depth + 1) ?? null);
  const own = outer(keys[at]);
  if (at > 0 && outer(keys[at - 1]) === own) return 0;
  let end = at + 1;
  while (end < keys.length && outer(keys[end]) === own) end += 1;
  return end - at;
}
