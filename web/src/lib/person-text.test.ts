import { expect, it } from "vitest";
import { personText } from "./person-text";

it("adds the address to a name, unless there is none or it is the name", () => {
  expect(personText({ name: "Ada", email: "ada@shop.test" })).toBe("Ada (ada@shop.test)");
  expect(personText({ name: "Ada", email: "" })).toBe("Ada");
  expect(personText({ name: "ada@shop.test", email: "ada@shop.test" })).toBe("ada@shop.test");
});
