import { expect, it } from "vitest";
import type { Approval } from "@/api/types";
import { filtered } from "./filter";

const approval = (id: string, asker: string, mayDecide: boolean) =>
  ({ id, asker: { id: asker, name: asker }, mayDecide }) as Approval;
const all = [approval("own", "me", true), approval("waits", "me", false), approval("theirs", "sam", true)];
const ids = (filter: Parameters<typeof filtered>[1]) => filtered(all, filter, "me").map(({ id }) => id);

it("tells what one asked for from what one decides", () => {
  expect(ids("all")).toEqual(["own", "waits", "theirs"]);
  expect(ids("mine")).toEqual(["own", "waits"]);
  expect(ids("forMe")).toEqual(["own", "theirs"]);
});
