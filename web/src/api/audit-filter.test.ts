import { expect, it } from "vitest";
import { type AuditFilter, auditParams, changedFilter, readAuditFilter } from "./audit-filter";

const read = (search: object) => readAuditFilter(search as Parameters<typeof readAuditFilter>[0]);

it("reads what it knows from an address, also a text that looks like a number", () => {
  expect(read({ text: 10482, status: "failed", tool: "", via: null, page: "2" })).toEqual({
    text: "10482",
    status: "failed",
  });
});

it("a state and refused or failed each replace the other, and what is emptied is gone", () => {
  const failed = changedFilter({ tool: "refund" }, { status: "failed" });
  expect(failed).toEqual({ tool: "refund", status: "failed" });
  const notDone = changedFilter(failed, { outcome: "notDone" });
  expect(notDone).toEqual({ tool: "refund", outcome: "notDone" });
  expect(changedFilter(notDone, { status: "expired", tool: "" })).toEqual({ status: "expired" });
  expect(changedFilter({ status: "failed" }, { status: "" })).toEqual({});
});

it("sends days as the times of their beginning and end, in the time of this place", () => {
  const params = auditParams({ from: "2026-11-29", to: "2026-11-30", text: "no such order" });
  expect(new Date(params.get("from") ?? "").getTime()).toBe(new Date(2026, 10, 29).getTime());
  expect(new Date(params.get("to") ?? "").getTime()).toBe(new Date(2026, 11, 1).getTime() - 1);
  expect(params.get("from")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(params.get("text")).toBe("no such order");
});

it("leaves out a day that is still being typed, or that is none", () => {
  const sent = (filter: AuditFilter) => auditParams(filter).toString();
  expect([sent({ from: "0002-11-29" }), sent({ to: "2026-13-45" }), sent({ from: "soon" })]).toEqual([
    "",
    "",
    "",
  ]);
});
