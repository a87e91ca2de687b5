import { expect, it } from "vitest";
import type { Tool } from "@/api/types";
import { draftOf, millisecondsOf, patchOf } from "./draft";

const approval = {
  approverRoles: ["sales"],
  fourEyes: true,
  edit: false,
  grants: false,
  lifetimeSeconds: null,
};
const tool: Tool = {
  name: "ship",
  title: "Ship",
  description: "",
  kind: "http",
  level: "write",
  requiresApproval: true,
  enabled: true,
  composer: false,
  roles: [],
  audience: null,
  settings: {
    icon: "truck",
    buttonLabel: "Ship it",
    timeoutMs: 2500,
    outputSchema: { type: "object" },
    approval,
    events: { pre: "off", post: "data" },
  },
  file: null,
  version: 3,
  source: null,
  inputSchema: {},
  mayEdit: true,
  stats: { calls7d: 0, p50Ms: null, errorRate: null },
  agents: [],
};

it("what is not changed stays as it is, also the terms of approval and the events", () => {
  expect(patchOf(tool, draftOf(tool))).toEqual({ composer: false, settings: tool.settings });
});

it("what is emptied is left out, and all else is sent", () => {
  const empty = { composer: true, buttonLabel: " ", icon: "", timeout: "", outputSchema: undefined };
  expect(patchOf(tool, empty)).toEqual({
    composer: true,
    settings: { approval, events: tool.settings.events },
  });
});

it("nothing is sent while something is not fit", () => {
  expect(patchOf(tool, { ...draftOf(tool), timeout: "601" })).toBeNull();
  expect(patchOf(tool, { ...draftOf(tool), timeout: "soon" })).toBeNull();
  expect(patchOf(tool, { ...draftOf(tool), outputSchema: ["object"] })).toBeNull();
});

it("seconds are typed with either point", () => {
  expect(["2.5", "2,5", "", "0"].map(millisecondsOf)).toEqual([2500, 2500, null, undefined]);
});
