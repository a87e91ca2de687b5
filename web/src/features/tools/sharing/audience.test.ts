import { expect, it } from "vitest";
import { audienceOf, chosenOf, isEmpty, kindOf } from "./audience";

it("an audience is of one of three kinds", () => {
  expect(kindOf(null)).toBe("editors");
  expect(kindOf({ everyone: true, users: ["u"], roles: [] })).toBe("everyone");
  expect(kindOf({ everyone: false, users: [], roles: ["sales"] })).toBe("some");
});

it("who was chosen stays on record while everyone has it", () => {
  const chosen = { users: ["u"], roles: ["sales"] };
  expect(audienceOf("everyone", chosen)).toEqual({ everyone: true, users: ["u"], roles: ["sales"] });
  expect(chosenOf(audienceOf("everyone", chosen))).toEqual(chosen);
  expect(audienceOf("editors", chosen)).toBeNull();
  expect(isEmpty(chosenOf(null))).toBe(true);
});
