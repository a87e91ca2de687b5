import { describe, expect, it } from "vitest";
import type { Json } from "@/api/types";
import { aggregate, aggregated } from "./aggregate";
import { csvOf } from "./csv";
import { sorted } from "./sort";
import { type Column, type ColumnType, cellOf, type Data } from "./spec";

const column = (name: string, type: ColumnType): Column => ({ name, title: name.toUpperCase(), type });
const dataOf = (type: ColumnType, values: Json[]): Data => ({
  columns: [column("v", type)],
  rows: values.map((v) => ({ v })),
  truncated: false,
});
const order = (type: ColumnType, values: Json[], descending = false) =>
  sorted(dataOf(type, values), { column: "v", descending }).map((row) => row.v);

describe("sorted", () => {
  it("takes numbers as numbers and decimals to the last digit", () => {
    expect(order("integer", [10, 9, "100", -1])).toEqual([-1, 9, 10, "100"]);
    expect(order("decimal", ["9007199254740993.1", "9007199254740993.01", "9.5", "10"])).toEqual([
      "9.5",
      "10",
      "9007199254740993.01",
      "9007199254740993.1",
    ]);
  });
  it("puts nothing last, whichever way", () => {
    expect(order("decimal", [null, "2", "", "1"])).toEqual(["1", "2", null, ""]);
    expect(order("decimal", [null, "2", "", "1"], true)).toEqual(["2", "1", null, ""]);
  });
  it("takes moments by when they are, and words as people do", () => {
    const [early, late] = ["2026-01-01T10:00:00+02:00", "2026-01-01T09:00:00Z"];
    expect(order("datetime", [late, early])).toEqual([early, late]);
    expect(order("string", ["Q10", "q2", "Émile", "Eve", "Zoe"])).toEqual([
      "Émile",
      "Eve",
      "q2",
      "Q10",
      "Zoe",
    ]);
  });
  it("keeps equal rows in the order of the query, and the query's order without a sort", () => {
    const data: Data = {
      columns: [column("v", "integer"), column("n", "string")],
      rows: [
        { v: 1, n: "a" },
        { v: 0, n: "b" },
        { v: 1, n: "c" },
      ],
      truncated: false,
    };
    expect(sorted(data, { column: "v", descending: true }).map((row) => row.n)).toEqual(["a", "c", "b"]);
    expect(sorted(data, null)).toBe(data.rows);
  });
});

describe("aggregate", () => {
  const money = column("v", "decimal");
  it("is exact, and passes over what is not there", () => {
    const values = ["0.10", "0.20", null, "", "12345678901234567890.00"];
    expect(aggregate(values, "sum", money)).toBe("12345678901234567890.30");
    expect(aggregate(values, "count", money)).toBe(3);
    expect(aggregate(values, "min", money)).toBe("0.10");
    expect(aggregate(values, "max", money)).toBe("12345678901234567890.00");
    expect(aggregate(["1.00", "2.00"], "avg", money)).toBe("1.50");
    expect(aggregate([0.1, 0.2], "sum", column("v", "float"))).toBe("0.3");
  });
  it("has nothing to say of nothing, and no sum of words", () => {
    expect(aggregate([null], "sum", money)).toBeNull();
    expect(aggregate([], "count", money)).toBe(0);
    expect(aggregate(["a", "b"], "sum", column("v", "string"))).toBeNull();
    expect(aggregate(["2026-02-01", "2026-01-01"], "min", column("v", "date"))).toBe("2026-01-01");
    expect(aggregated(column("v", "date"), "count").type).toBe("integer");
  });
});

describe("CSV", () => {
  it("quotes, and gives formulas a quote that makes them text", () => {
    const columns = [column("text", "string"), column("sum", "decimal")];
    const rows = [
      { text: 'say "hi", all', sum: "-12.50" },
      { text: "two\nlines", sum: -3 },
      ...["=1+1", "+49 30", "-1+2", "@cmd", "\t=1"].map((text) => ({ text, sum: null })),
      { text: "plain", sum: "=2" },
    ];
    expect(csvOf({ columns, rows, truncated: false }).split("\r\n")).toEqual([
      "TEXT,SUM",
      '"say ""hi"", all",-12.50',
      '"two\nlines",-3',
      "'=1+1,",
      "'+49 30,",
      "'-1+2,",
      "'@cmd,",
      "'\t=1,",
      "plain,'=2",
    ]);
  });
  it("defuses the titles, too, and takes no cell that the row has not", () => {
    const columns: Column[] = [{ name: "constructor", title: "=A1", type: "string" }];
    expect(csvOf({ columns, rows: [{}], truncated: false })).toBe("'=A1\r\n");
    expect(cellOf({}, "toString")).toBeNull();
    expect(cellOf(JSON.parse('{"__proto__": 1}'), "__proto__")).toBe(1);
  });
});
