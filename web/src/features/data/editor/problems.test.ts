import { describe, expect, it } from "vitest";
import { ApiError } from "@/api/client";
import type { FieldError } from "@/api/types";
import { problemsOfDraft } from "./check";
import { toDraft } from "./draft";
import { isChangedElsewhere, losesData, placeText, problemsOf } from "./problems";
import { toYaml } from "./yaml";

const PATH = "models/book.yaml";
const text = toYaml({ name: "book", fields: { isbn: { type: "strin" }, title: { type: "string" } } });

const refused = (code: string, errors?: FieldError[]) =>
  new ApiError({ type: "", title: "", status: 422, code, detail: "Not so.", ...(errors ? { errors } : {}) });

describe("problems", () => {
  it("stand at the field that their line is about", () => {
    const errors = [
      { pointer: "", message: "unknown type", path: PATH, line: 3, column: 11 },
      { pointer: "", message: "bad name", path: PATH, line: 1, column: 1 },
    ];
    const problems = problemsOf(refused("invalid_workspace", errors), PATH, text);
    expect(problems.map((problem) => problem.field)).toEqual(["isbn", null]);
    expect(problems.map(placeText)).toEqual(["3:11", "1:1"]);
  });

  it("stand at the field of their pointer before that of their line", () => {
    const errors = [{ pointer: "/definition/fields/title/length", message: "too long", line: 3, column: 1 }];
    expect(problemsOf(refused("invalid_workspace", errors), PATH, text)[0]?.field).toBe("title");
  });

  it("of another file name that file, and no field", () => {
    const errors = [
      { pointer: "", message: "unknown model `book`", path: "models/order.yaml", line: 3, column: 5 },
    ];
    const [problem] = problemsOf(refused("invalid_workspace", errors), PATH, text);
    expect(problem && placeText(problem)).toBe("models/order.yaml:3:5");
    expect(problem?.field).toBeNull();
  });

  it("without places are told as they are", () => {
    const blocked = [{ pointer: "", message: "`isbn` needs a default" }];
    const [problem] = problemsOf(refused("models_blocked", blocked), PATH, text);
    expect(problem && placeText(problem)).toBe("");
    expect(problem?.message).toBe("`isbn` needs a default");
    expect(problemsOf(refused("exists"), PATH, text)[0]?.message).toBe("Not so.");
    expect(problemsOf(new Error("offline"), PATH, text)[0]?.message).toBe("offline");
  });

  it("are told apart from what somebody else changed, and from a loss", () => {
    expect([isChangedElsewhere(refused("version_changed")), isChangedElsewhere(refused("exists"))]).toEqual([
      true,
      false,
    ]);
    expect([losesData(refused("data_loss")), losesData(new Error("data_loss"))]).toEqual([true, false]);
  });
});

describe("what can be said at once", () => {
  const fieldsOf = (names: string[]) =>
    names.map((name, key) => ({ key, name, definition: { type: "string" } }));

  it("is nothing of a sound draft", () => {
    expect(problemsOfDraft(toDraft({ name: "crm.lead", fields: { first_name: {}, b2: {} } }))).toEqual([]);
  });

  it("is each name that can't be one", () => {
    const names = ["", "id", "Title", "isbn", "isbn", "2nd", "a".repeat(61)];
    const problems = problemsOfDraft({ head: { name: "Book" }, fields: fieldsOf(names) });
    expect(problems.map((problem) => problem.field)).toEqual([
      null,
      "",
      "id",
      "Title",
      "isbn",
      "2nd",
      "a".repeat(61),
    ]);
  });
});
