import { describe, expect, it } from "vitest";
import type { CallLine } from "@/api/types";
import { blocksOf, outcomeOf, runsOf, totalMs, widgetOf } from "./blocks";
import { reduce } from "./stream/reduce";
import { emptyThread, newTool, type Part, type Thread, type ToolPart } from "./stream/thread";

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

describe("widgets", () => {
  const output = { widget: "kpi", title: "T", props: { value: "n" }, rows: [{ n: 1 }] };
  const drawn = (id: string, extra: Partial<ToolPart> = {}) => call(id, "show_data", { output, ...extra });

  it("stand below the line of their call, each at its own place", () => {
    expect(kinds([call("1", "a"), drawn("2"), drawn("3"), prose("x"), drawn("4")])).toEqual([
      "calls",
      "widget",
      "calls",
      "widget",
      "prose",
      "calls",
      "widget",
    ]);
  });
  it("are not drawn before there is an output, nor of a call that failed", () => {
    expect(kinds([drawn("1", { state: "input-available" })])).toEqual(["calls"]);
    expect(kinds([drawn("1", { state: "output-error", error: "No such query." })])).toEqual(["calls"]);
    expect(kinds([drawn("1", { output: { widget: "kpi" } })])).toEqual(["calls"]);
  });
  it("come before what is merely shown", () => {
    expect(kinds([drawn("1", { line: line("succeeded", { shown: true }) })])).toEqual(["calls", "widget"]);
  });
  it("come with the output in the stream, and a replay brings no second one", () => {
    const frames: Parameters<typeof reduce>[1][] = [
      { type: "start", messageId: "m" },
      { type: "start-step" },
      { type: "tool-input-start", toolCallId: "c", toolName: "show_data" },
      { type: "tool-input-available", toolCallId: "c", toolName: "show_data", input: {} },
      { type: "tool-output-available", toolCallId: "c", output },
    ];
    const last = (thread: Thread) =>
      blocksOf(thread.messages.at(-1) ?? { id: "", role: "assistant", parts: [] }, {}).map(
        (each) => each.kind,
      );
    let thread = emptyThread;
    const seen = frames.map((frame) => {
      thread = reduce(thread, frame);
      return last(thread).join(" ");
    });
    expect(seen).toEqual(["", "", "calls", "calls", "calls widget"]);
    for (const frame of frames) {
      thread = reduce(thread, frame);
      expect(last(thread)).toEqual(["calls", "widget"]);
    }
  });
  it("keep their object while the answer goes on, so that they are not drawn again", () => {
    const part = drawn("1");
    expect(widgetOf(part)).toBe(output);
    const blocks = (parts: Part[]) => blocksOf({ id: "m", role: "assistant", parts }, {});
    const [before, after] = [blocks([part]), blocks([part, prose("and so")])];
    expect(after[1]).toEqual(before[1]);
    expect(after[1]?.kind === "widget" && after[1].output).toBe(output);
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
