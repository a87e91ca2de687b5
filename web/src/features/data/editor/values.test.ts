import { describe, expect, it } from "vitest";
import { fromOptions, optionsOf, textOf, valueFrom } from "./values";

describe("values", () => {
  it("reads a text as the type is written in a file", () => {
    expect(valueFrom("integer", "42")).toBe(42);
    expect(valueFrom("float", "1.50")).toBe(1.5);
    expect(valueFrom("decimal", "1.50")).toBe("1.50");
    expect(valueFrom("string", " x ")).toBe(" x ");
    expect(valueFrom("date", " today ")).toBe("today");
    expect(valueFrom("many_to_one", "7")).toBe(7);
    expect(valueFrom("integer", "  ")).toBeUndefined();
  });

  it("leaves to the server what is no number, or one that would be rounded", () => {
    expect(valueFrom("integer", "1.5")).toBe("1.5");
    expect(valueFrom("integer", "9223372036854775807")).toBe("9223372036854775807");
    expect(valueFrom("float", "1,5")).toBe("1,5");
  });

  it("shows values as text", () => {
    expect([textOf("0"), textOf(0), textOf(undefined), textOf(null)]).toEqual(["0", "0", "", ""]);
  });

  it("writes an option as a word where the title says nothing new", () => {
    const options = ["draft", { value: "shipped", title: "On its way" }];
    expect(fromOptions(optionsOf(options))).toEqual(options);
    expect(optionsOf("draft")).toEqual([]);
  });
});
