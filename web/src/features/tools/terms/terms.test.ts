import { expect, it } from "vitest";
import { hoursOf, secondsOf, termsOf } from "./terms";

it("what is not said of the terms is as usual", () => {
  expect(termsOf({ settings: {} })).toEqual({
    approverRoles: [],
    fourEyes: false,
    edit: false,
    grants: false,
    lifetimeSeconds: null,
  });
});

it("hours and seconds lead to each other", () => {
  expect(["", "24", "1.5", "1,5"].map(secondsOf)).toEqual([null, 86_400, 5_400, 5_400]);
  expect([null, 86_400, 5_400, 60].map(hoursOf)).toEqual(["", "24", "1.5", "0.0167"]);
  expect(secondsOf(hoursOf(60))).toBe(60);
});

it("takes no hours that are none, or too many", () => {
  expect(["many", "0", "-1", "721"].map(secondsOf)).toEqual([undefined, undefined, undefined, undefined]);
});
