import { describe, expect, it } from "vitest";
import { cellText } from "@/api/json";
import { csvOf } from "./csv";
import { shapeOf } from "./shape";

describe("shapeOf", () => {
  it("sees rows, with their total", () => {
    expect(shapeOf({ records: [{ a: 1 }, { b: 2 }], total: 9 })).toEqual({
      kind: "rows",
      rows: { rows: [{ a: 1 }, { b: 2 }], columns: ["a", "b"], total: 9 },
    });
  });
  it("sees one record, text, nothing, a handle, and anything else", () => {
    expect(shapeOf({ number: "SO-1", customer: { id: 1, name: "Ada" } }).kind).toBe("fields");
    expect(shapeOf("hello").kind).toBe("text");
    expect(shapeOf(null).kind).toBe("nothing");
    expect(shapeOf({ handle: "handle://x", preview: "", bytes: 1, shape: "" }).kind).toBe("handle");
    expect(shapeOf([1, [2]]).kind).toBe("json");
    expect(shapeOf({ deep: { deeper: { x: 1 } }, other: 1 }).kind).toBe("json");
  });
});

describe("cells", () => {
  it("show the name of a referenced record", () => {
    expect(cellText({ id: "1", display: "Ada" })).toBe("Ada");
    expect(cellText(["a", 2])).toBe("a, 2");
    expect(cellText(null)).toBe("");
    expect(cellText([{ field: "status", before: "draft", after: null }])).toBe("status: draft → –");
  });
  it("are quoted in CSV, and no text of theirs becomes a formula", () => {
    expect(csvOf([{ a: 'x,"y"', b: "=1+1", c: -3 }], ["a", "b", "c"])).toBe('a,b,c\r\n"x,""y""",\'=1+1,-3');
  });
});
