import type { Json } from "@/api/types";
import { add, compare, type Decimal, decimalOf, divide, textOf, zero } from "./decimal";
import { compareValues, isNothing } from "./sort";
import { type Column, type Fn, isNumeric } from "./spec";

/** Puts the values of a column together. `null` when there is nothing to put together. */
export function aggregate(values: Json[], fn: Fn, column: Column): Json {
  const some = values.filter((each) => !isNothing(each));
  if (fn === "count") return some.length;
  if (!isNumeric(column.type)) return fn === "min" || fn === "max" ? extreme(some, fn, column) : null;
  const numbers = some.flatMap((each) => decimalOf(each) ?? []);
  const result = numberOf(numbers, fn);
  return result ? textOf(result) : null;
}

function numberOf(numbers: Decimal[], fn: Exclude<Fn, "count">): Decimal | null {
  const [first] = numbers;
  if (!first) return null;
  switch (fn) {
    case "sum":
      return numbers.reduce(add, zero);
    case "avg":
      return divide(numbers.reduce(add, zero), numbers.length);
    case "min":
      return numbers.reduce((least, each) => (compare(each, least) < 0 ? each : least), first);
    case "max":
      return numbers.reduce((most, each) => (compare(each, most) > 0 ? each : most), first);
  }
}

function extreme(values: Json[], fn: "min" | "max", column: Column): Json {
  const way = fn === "min" ? 1 : -1;
  return values.toSorted((a, b) => way * compareValues(a, b, column))[0] ?? null;
}

/** The column that an aggregate yields: a count is a whole number of whatever was counted. */
export const aggregated = (column: Column, fn: Fn): Column =>
  fn === "count"
    ? { ...column, type: "integer" }
    : column.type === "float"
      ? { ...column, type: "decimal" }
      : column;
