import { describe, expect, it } from "vitest";
import type { CallLine } from "@/api/types";
import { blocksOf, outcomeOf, runsOf, totalMs } from "./blocks";
import { newTool, type Part, type ToolPart } from "./stream/thread";

const line = (status: CallLine["status"], extra: Partial<CallLine> = {}): CallLine => ({
  id: "",
  tool: "t",
  title: "",
  status,
  durationMs: 100,
  shown: false,
  approvalId: null,
  error: null,
  ...extra,
});
const call = (id: string, tool: string, extra: Partial<ToolPart> = {}): ToolPart => ({
  ...newTool(id),
  tool,
  state: "output-available",
  line: line("succeeded"),
  ...extra,
});
const prose = (text: string): Part => ({ type: "text", key: null, text, streaming: false, read: 0 });
const kinds = (parts: Part[]) =>
  blocksOf({ id: "m", role: "assistant", parts }, {}).map((block) => block.kind);

describe("blocksOf", () => {
  it("groups the calls between two pieces of text", () => {
    expect(kinds([call("1", "a"), call("2", "b"), prose("x"), call("3", "a")])).toEqual([
      "calls",
      "prose",
      "calls",
    ]);
  });

  it("groups over steps and leaves out empty text", () => {
    expect(kinds([call("1", "a"), { type: "step" }, prose(" "), call("2", "b")])).toEqual(["calls"]);
  });

  it("puts a shown result at the place of its call", () => {
    const shown = call("1", "a", { line: line("succeeded", { shown: true }) });
    expect(kinds([shown, prose("x")])).toEqual(["calls", "shown", "prose"]);
  });
});

describe("outcomeOf", () => {
  it("takes the status of the call over the state of the part", () => {
    expect(outcomeOf(call("1", "a"))).toBe("done");
    expect(outcomeOf(call("1", "a", { line: line("refused") }))).toBe("failed");
    expect(outcomeOf(call("1", "a", { line: line("rejected") }))).toBe("denied");
    expect(outcomeOf(call("1", "a", { state: "input-available", line: line("running") }))).toBe("running");
    expect(outcomeOf(call("1", "a", { state: "output-error", line: null }))).toBe("failed");
  });
});

describe("runsOf", () => {
  it("merges neighbours of the same tool only", () => {
    const runs = runsOf([call("1", "a"), call("2", "a"), call("3", "b"), call("4", "a")]);
    expect(runs.map((run) => [run.tool, run.calls.length])).toEqual([
      ["a", 2],
      ["b", 1],
      ["a", 1],
    ]);
    expect(totalMs(runs[0]?.calls ?? [])).toBe(200);
  });
});
