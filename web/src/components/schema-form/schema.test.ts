import { describe, expect, it } from "vitest";
import type { JsonSchema } from "@/api/types";
import { fromProblem, fromText, missing, unplaced } from "./errors";
import { fieldOf, initial, resolve, variantOf, variantTitle } from "./schema";

const root: JsonSchema = {
  type: "object",
  required: ["model", "lines"],
  properties: {
    model: { enum: ["order", "customer"] },
    note: { anyOf: [{ type: "string" }, { type: "null" }] },
    criteria: { $ref: "#/$defs/criteria", description: "Which" },
    values: { type: "object", additionalProperties: true },
    lines: {
      type: "array",
      items: {
        type: "object",
        required: ["sku"],
        properties: { sku: { type: "string" }, qty: { type: "integer", default: 1 } },
      },
    },
  },
  $defs: {
    criteria: {
      anyOf: [
        {
          title: "all of",
          type: "object",
          required: ["and"],
          properties: { and: { type: "array", items: { $ref: "#/$defs/criteria" } } },
        },
        {
          title: "comparison",
          type: "object",
          required: ["field", "op"],
          properties: { field: { type: "string" }, op: { enum: ["="] }, value: {} },
        },
      ],
    },
  },
};
const kind = (schema: JsonSchema) => fieldOf(resolve(schema, root), root).kind;

describe("fieldOf", () => {
  it.each<[JsonSchema, string]>([
    [{ type: "string" }, "text"],
    [{ type: ["integer", "null"] }, "integer"],
    [{ anyOf: [{ type: "boolean" }, { type: "null" }] }, "boolean"],
    [{ anyOf: [{ const: "a" }, { const: "b" }] }, "choice"],
    [{ oneOf: [{ type: "string" }, { type: "number" }] }, "union"],
    [{ $ref: "#/$defs/criteria" }, "union"],
    [{ $ref: "#/$defs/nowhere" }, "json"],
    [{ type: "object", additionalProperties: true }, "json"],
    [{ type: ["string", "number"] }, "json"],
    [{}, "json"],
    [{ allOf: [{ type: "object", properties: { a: {} } }, { properties: { b: {} } }] }, "object"],
  ])("%j is drawn as %s", (schema, expected) => {
    expect(kind(schema)).toBe(expected);
  });

  it("keeps what stands beside a reference", () => {
    expect(resolve(root.properties?.criteria, root).description).toBe("Which");
  });

  it("ends on a reference that leads to itself", () => {
    const loop: JsonSchema = { $defs: { a: { $ref: "#/$defs/a" } } };
    expect(() => resolve({ $ref: "#/$defs/a" }, loop)).not.toThrow();
  });
});

describe("initial", () => {
  it("fills in defaults and what is required, and nothing else", () => {
    expect(initial(root, root, true)).toEqual({ lines: [] });
    const lines = root.properties?.lines as JsonSchema;
    expect(initial(lines.items as JsonSchema, root, true)).toEqual({ qty: 1 });
  });

  it("does not follow a recursive schema for ever", () => {
    const node: JsonSchema = {
      $defs: { n: { type: "object", required: ["n"], properties: { n: { $ref: "#/$defs/n" } } } },
    };
    expect(initial({ $ref: "#/$defs/n" }, node, true)).toBeDefined();
  });
});

describe("variants", () => {
  const variants = root.$defs?.criteria?.anyOf ?? [];
  it("are recognised by the value", () => {
    expect(variantOf({ and: [] }, variants, root)).toBe(0);
    expect(variantOf({ field: "status", op: "=", value: 1 }, variants, root)).toBe(1);
    expect(variantOf(undefined, variants, root)).toBe(-1);
  });
  it("have a title", () => {
    expect(variantTitle(variants[0] ?? {}, root, 0)).toBe("all of");
    expect(variantTitle({ $ref: "#/$defs/criteria" }, root, 0)).toBe("criteria");
  });
});

describe("errors", () => {
  it("finds required fields that are empty, at any depth", () => {
    expect(missing(root, { lines: [{ qty: 2 }] }, root)).toEqual({
      "/model": "Required",
      "/lines/0/sku": "Required",
    });
  });
  it("reads pointers that count from the request or from the arguments", () => {
    expect(
      fromProblem([
        { pointer: "/arguments/id", message: "a" },
        { pointer: "#/model", message: "b" },
      ]),
    ).toEqual({
      "/id": "a",
      "/model": "b",
    });
  });
  it("reads pointers in a text written for a model", () => {
    expect(
      fromText("The arguments do not fit.\n`/id`: is required\n/values/status: no such choice", {
        values: {},
      }),
    ).toEqual({
      "/id": "is required",
      "/values/status": "no such choice",
    });
    expect(fromText("HTTP 404 at /v1/orders not found", {})).toEqual({});
  });
  it("loses no error that has no field", () => {
    expect(unplaced({ "": "Too many.", "/ghost": "Unknown." }, root)).toEqual([
      "Too many.",
      "/ghost: Unknown.",
    ]);
  });
});
