import { expect, it } from "vitest";
import { readEventSearch } from "./event-search";

const read = (search: object) => readEventSearch(search as Parameters<typeof readEventSearch>[0]);

it("shows the subscribers where an address says nothing else", () => {
  expect(read({})).toEqual({});
  expect(read({ view: "others", status: "dead" })).toEqual({});
});

it("reads what it knows of a filter, and leaves out the rest", () => {
  const filter = { view: "deliveries", status: "dead", subscriberId: "callback:ledger" };
  expect(read({ ...filter, page: 2 })).toEqual(filter);
  expect(read({ view: "deliveries", status: "lost", subscriberId: "" })).toEqual({ view: "deliveries" });
});
