import { expect, it } from "vitest";
import { en } from "./en";

const parts = import.meta.glob<Record<string, object>>("./en/*.ts", { eager: true });

it("is made of all its parts, and no key is in two of them", () => {
  const keys = Object.values(parts).flatMap((part) => Object.values(part).flatMap(Object.keys));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  expect(keys.sort()).toEqual(Object.keys(en).sort());
});
