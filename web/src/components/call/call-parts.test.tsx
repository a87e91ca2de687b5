import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { CallEvent } from "@/api/types";
import { isErasure } from "./erasure";
import { ExportLinks } from "./export-links";
import { isExport } from "./is-export";

afterEach(cleanup);

it("an export that succeeded, and still has its result, can be saved", () => {
  const output = { model: "order", records: [] };
  expect(isExport({ tool: "export_records", status: "succeeded", output })).toBe(true);
  expect(isExport({ tool: "export_records", status: "succeeded", output: null })).toBe(false);
  expect(isExport({ tool: "export_records", status: "failed", output })).toBe(false);
  expect(isExport({ tool: "search_records", status: "succeeded", output })).toBe(false);
});

it("an export is saved in either form by a plain link", () => {
  render(<ExportLinks callId="c1" />);
  const csv = screen.getByRole("link", { name: "Download CSV" });
  expect(csv.getAttribute("href")).toBe("/api/calls/c1/export?format=csv");
  expect(csv.hasAttribute("download")).toBe(true);
  const lines = screen.getByRole("link", { name: "JSON Lines" });
  expect(lines.getAttribute("href")).toBe("/api/calls/c1/export?format=jsonl");
});

it("an entry that repeats the last state tells of an erasure", () => {
  const event = (state: string, by: string | null): CallEvent => ({ state, by, at: "", reason: null });
  const events = [
    event("asked", "Ada"),
    event("running", null),
    event("failed", null),
    event("failed", "Ada"),
  ];
  expect(events.map((_, index) => isErasure(events, index))).toEqual([false, false, false, true]);
});
