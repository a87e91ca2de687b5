import { describe, expect, it } from "vitest";
import type { Json } from "@/api/types";
import { add, compare, type Decimal, decimalOf, divide, drawable, textOf } from "./decimal";

const of = (text: string | number): Decimal => decimalOf(text) as Decimal;

describe("decimals", () => {
  it("are read from text and numbers, and from nothing else", () => {
    const texts = ["-0.50", "1e3", "12.5e-2", "+7", "007.10"];
    expect(texts.map((each) => textOf(of(each)))).toEqual(["-0.50", "1000", "0.125", "7", "7.10"]);
    const none: Json[] = ["", "1,000", "0x10", "1e9999", "NaN", "1.", true, null, {}, "9".repeat(500)];
    expect(none.map(decimalOf)).toEqual(none.map(() => null));
  });
  it("add up to the last digit", () => {
    expect(textOf(add(of("0.1"), of("0.2")))).toBe("0.3");
    expect(textOf(add(of("12345678901234567890.12"), of("-0.02")))).toBe("12345678901234567890.10");
  });
  it("compare across scales and beyond what a float can tell", () => {
    expect(compare(of("9007199254740993"), of("9007199254740992"))).toBe(1);
    expect(compare(of("1.50"), of("1.5"))).toBe(0);
    expect(compare(of("-2"), of("1"))).toBe(-1);
  });
  it("divide to two more places, away from zero at the half", () => {
    expect(textOf(divide(of("10.00"), 4))).toBe("2.50");
    expect(textOf(divide(of("1"), 3))).toBe("0.3333");
    expect(textOf(divide(of("-2"), 3))).toBe("-0.6667");
  });
  it("are drawn only as far as a screen can tell", () => {
    expect([drawable("1.5"), drawable("x"), drawable(`1${"0".repeat(399)}`)]).toEqual([1.5, null, null]);
  });
});
