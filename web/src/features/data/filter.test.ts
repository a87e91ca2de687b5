import { expect, it } from "vitest";
import type { DataModel } from "@/api/types";
import { filtered, placeOf } from "./filter";

const model = (name: string, connection: string | null, table: string | null): DataModel => ({
  name,
  title: name,
  titlePlural: `${name}s`,
  path: `models/${name}.yaml`,
  origin: "file",
  version: null,
  connection,
  table,
  readOnly: false,
  fields: 1,
});
const models = [model("film", "cinema", "t_films"), model("order", null, null)];

it("says where a model is", () => {
  expect(models.map(placeOf)).toEqual(["cinema · t_films", "main"]);
});

it("finds models by all words, also by their table", () => {
  const names = (query: string) => filtered(models, query).map((each) => each.name);
  expect([names(""), names("CINEMA t_f"), names("film order")]).toEqual([["film", "order"], ["film"], []]);
});
