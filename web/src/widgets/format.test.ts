import { describe, expect, it } from "vitest";
import type { Json } from "@/api/types";
import { decimalOf } from "./decimal";
import { labelText, numberText, tickTexts, valueText } from "./format";
import type { ColumnType } from "./spec";

const text = (value: Json, type: ColumnType, format?: string) =>
  valueText(value, { name: "c", title: "C", type }, format);

describe("valueText", () => {
  it("keeps every digit of a decimal", () => {
    expect(text("12345678901234567890.12", "decimal")).toBe("12,345,678,901,234,567,890.12");
    expect(text("1234.50", "decimal")).toBe("1,234.50");
    expect(text("9007199254740993", "integer")).toBe("9,007,199,254,740,993");
  });
  it("writes floats without the digits that nobody measured", () => {
    expect(text(0.1 + 0.2, "float")).toBe("0.3");
    expect(text(-1e-7, "float")).toBe("-0.0000001");
  });
  it("follows the format", () => {
    expect(text("1234.5", "decimal", "currency:EUR")).toBe("€1,234.50");
    expect(text("-0.1234", "decimal", "currency:USD")).toBe("-$0.1234");
    expect(text("1234.5", "decimal", "currency:JPY")).toBe("¥1,234.5");
    expect(text("0.256", "decimal", "percent")).toBe("25.6%");
    expect(text("1234.56", "decimal", "integer")).toBe("1,235");
    expect(text("1234.50", "decimal", "number")).toBe("1,234.5");
  });
  it("writes dates without a time zone of their own, and times as they are", () => {
    expect(text("2026-01-01", "date")).toBe("Jan 1, 2026");
    expect(text("14:30:00", "time")).toBe("14:30");
    expect(text("2026-11-30T22:47:00", "datetime")).toMatch(/^Nov 30, 2026, 10:47/);
  });
  it("leaves alone what is not what its column says", () => {
    expect(text("next week", "date")).toBe("next week");
    expect(text("2026-13-77", "date")).toBe("2026-13-77");
    expect(text("soon", "datetime")).toBe("soon");
    expect(text("n/a", "decimal", "currency:EUR")).toBe("n/a");
    expect(text({ a: 1 }, "json")).toBe('{"a":1}');
    expect(text({ id: "1", display: "Ada" }, "string")).toBe("Ada");
    expect(text({ withheld: true }, "string")).toBe("(withheld)");
    expect(text(null, "decimal")).toBe("");
  });
  it("says yes and no, and writes years and keys without marks", () => {
    expect([text(true, "boolean"), text(false, "boolean")]).toEqual(["Yes", "No"]);
    expect(valueText(2026, { name: "year", title: "Year", type: "integer" })).toBe("2026");
    expect(labelText(10482, { name: "order", title: "Order", type: "integer" })).toBe("10482");
    expect(labelText(null, { name: "order", title: "Order", type: "integer" })).toBe("(empty)");
  });
});

describe("signs and axes", () => {
  it("signs a change, but not when there is none", () => {
    const signed = (value: string) =>
      numberText(decimalOf(value) ?? { digits: 0n, scale: 0 }, "percent", { sign: true });
    expect([signed("0.124"), signed("-0.5"), signed("0")]).toEqual(["+12.4%", "-50%", "0%"]);
  });
  it("writes all labels of an axis alike", () => {
    expect(tickTexts([0, 50_000], "currency:EUR")).toEqual(["€0", "€50,000"]);
    expect(tickTexts([0, 0.5, 1], "currency:EUR")).toEqual(["€0", "€0.50", "€1"]);
    expect(tickTexts([0, 500_000, 1_000_000], undefined)).toEqual(["0", "500K", "1M"]);
    expect(tickTexts([0, 5e20], undefined)).toEqual(["0", "5E20"]);
  });
});
