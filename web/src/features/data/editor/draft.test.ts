import { describe, expect, it } from "vitest";
import type { JsonObject } from "@/api/types";
import { isEditable, moved, toDefinition, toDraft, withKey, withNewField } from "./draft";
import { withType } from "./field-types";

const film: JsonObject = {
  connection: "cinema",
  table: "films",
  name: "film",
  fields: {
    title: { type: "string", length: 200, column: "film_title", stored_as: "text" },
    rating: { options: ["g", { value: "pg", title: "PG" }], type: "selection", default: "g" },
    actors: {
      type: "many_to_many",
      model: "actor",
      through: { table: "film_actor", column: "film_id", target_column: "actor_id" },
    },
  },
  left_out: ["film_text"],
  display: "title",
  id: { type: "integer", column: "film_id" },
  a_key_of_later: { deep: [1, null, "x"] },
};

describe("definition and form", () => {
  it("keeps all keys, known or not, over a round trip", () => {
    expect(toDefinition(toDraft(film))).toEqual(film);
  });

  it("keeps the order of fields, and puts known keys first", () => {
    const definition = toDefinition(toDraft(film));
    expect(Object.keys(definition)).toEqual([
      "name",
      "display",
      "connection",
      "table",
      "left_out",
      "id",
      "a_key_of_later",
      "fields",
    ]);
    expect(Object.keys(definition.fields as JsonObject)).toEqual(["title", "rating", "actors"]);
  });

  it("keeps unknown keys beside what is edited", () => {
    const draft = toDraft(film);
    const [title, ...others] = draft.fields;
    if (!title) throw new Error("no field");
    const edited = { ...title, name: "name", definition: withKey(title.definition, "length", undefined) };
    const definition = toDefinition({
      head: withKey(draft.head, "title", "Film"),
      fields: [edited, ...others],
    });
    expect(definition).toEqual({
      ...film,
      title: "Film",
      fields: {
        name: { type: "string", column: "film_title", stored_as: "text" },
        rating: (film.fields as JsonObject).rating,
        actors: (film.fields as JsonObject).actors,
      },
    });
  });

  it("moves fields, and not beyond the ends", () => {
    const names = (draft: { name: string }[]) => draft.map((field) => field.name);
    const { fields } = toDraft(film);
    expect(names(moved(fields, 2, 0))).toEqual(["actors", "title", "rating"]);
    expect(names(moved(fields, 0, 1))).toEqual(["rating", "title", "actors"]);
    expect(moved(fields, 0, -1)).toBe(fields);
    expect(moved(fields, 2, 3)).toBe(fields);
  });

  it("gives a new field a key that no other field has", () => {
    const { fields } = toDraft(film);
    const fewer = withNewField(fields.filter((field) => field.name !== "title"));
    expect(new Set(fewer.map((field) => field.key)).size).toBe(3);
  });

  it("holds only what it can give back", () => {
    expect(isEditable(film)).toBe(true);
    expect(isEditable({ name: "empty" })).toBe(true);
    expect(isEditable(["film"])).toBe(false);
    expect(isEditable({ fields: ["title"] })).toBe(false);
    expect(isEditable({ fields: { title: "string" } })).toBe(false);
    expect(isEditable({ fields: { n: { type: "integer", max: 2 ** 60 } } })).toBe(false);
  });
});

describe("another type", () => {
  it("drops what the new type does not take, and keeps what nobody knows", () => {
    const field = {
      type: "selection",
      title: "State",
      options: ["a"],
      default: "a",
      index: true,
      column: "st",
    };
    expect(withType(field, "integer")).toEqual({
      type: "integer",
      title: "State",
      index: true,
      column: "st",
    });
    expect(withType(field, "multi_selection")).toEqual({
      type: "multi_selection",
      title: "State",
      options: ["a"],
      index: true,
      column: "st",
    });
    expect(withType(field, "many_to_many")).toEqual({ type: "many_to_many", title: "State", column: "st" });
  });

  it("keeps the values of types that are written alike", () => {
    const field = { type: "string", default: "x", length: 10, pattern: "x+" };
    expect(withType(field, "text")).toEqual({ ...field, type: "text" });
    expect(withType({ type: "integer", min: 1 }, "decimal")).toEqual({ type: "decimal" });
  });
});
