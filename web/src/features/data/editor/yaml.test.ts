import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/api/types";
import { fieldAtLine, hasComments, nameIn, toYaml } from "./yaml";

const order: JsonObject = {
  name: "order",
  help: "An order: of a customer.",
  versioned: true,
  fields: {
    number: { type: "string", required: true, pattern: "SO-[0-9]+" },
    total: { type: "decimal", min: "0", default: "0" },
    yes: { type: "selection", options: ["no", "on hold", { value: "shipped", title: "On its way" }] },
    note: { type: "text", help: "x".repeat(60), pattern: `${"y".repeat(60)}"'`, length: 20 },
  },
};

describe("YAML", () => {
  it("is a line a field where that is short enough, and quotes what is read as something else", () => {
    expect(toYaml(order)).toBe(
      [
        "name: order",
        'help: "An order: of a customer."',
        "versioned: true",
        "fields:",
        '  number: { type: string, required: true, pattern: "SO-[0-9]+" }',
        '  total: { type: decimal, min: "0", default: "0" }',
        '  "yes": { type: selection, options: ["no", on hold, { value: shipped, title: On its way }] }',
        "  note:",
        "    type: text",
        `    help: ${"x".repeat(60)}`,
        `    pattern: "${"y".repeat(60)}\\"'"`,
        "    length: 20",
        "",
      ].join("\n"),
    );
  });

  it("writes nothing as what it is", () => {
    expect(toYaml({ name: "", fields: {}, left_out: [], id: { columns: [] }, x: null })).toBe(
      'name: ""\nfields: {}\nleft_out: []\nid: { columns: [] }\nx: null\n',
    );
  });

  it("tells which field a line is about", () => {
    const text = toYaml(order);
    expect([1, 4, 5, 7, 8, 11, 99].map((line) => fieldAtLine(text, line))).toEqual([
      null,
      null,
      "number",
      "yes",
      "note",
      "note",
      "note",
    ]);
    expect(fieldAtLine("name: x\n", 1)).toBeNull();
  });

  it("finds the name in a text, however it is written", () => {
    expect(nameIn("# a model\nname: crm.lead # of sales\nfields:\n  name: { type: string }\n")).toBe(
      "crm.lead",
    );
    expect(nameIn('title: x\n"name": "order"\n')).toBe("order");
    expect(nameIn("name: 'order'\n")).toBe("order");
    expect(nameIn("fields:\n  name: { type: string }\n")).toBe("");
    expect(nameIn("name:\nfields: {}\n")).toBe("");
  });

  it("sees comments", () => {
    expect([hasComments("a: 1 # b"), hasComments("# a"), hasComments("a: b#c")]).toEqual([true, true, false]);
  });
});
