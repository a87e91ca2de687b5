import { describe, expect, it } from "vitest";
import { pathText } from "./path-text";
import { shownChanges } from "./shown-changes";
import { beginning, valueText } from "./value-text";

describe("the changes of a version", () => {
  it("leave out what was said only to say nothing", () => {
    const changes = [
      { path: "settings.approval.approverRoles", before: null, after: [] },
      { path: "settings.approval.edit", before: null, after: true },
      { path: "settings.approval.fourEyes", before: null, after: false },
      { path: "settings.timeoutMs", before: 3000, after: null },
    ];
    expect(shownChanges(changes)).toEqual([
      { path: "settings.approval.edit", before: false, after: true },
      { path: "settings.timeoutMs", before: 3000, after: null },
    ]);
  });

  it("have the two events apart, and off where nothing was said of them", () => {
    const change = { path: "settings.events", before: null, after: { pre: "data", post: "off" } };
    const shown = { path: "settings.events.pre", before: "off", after: "data" };
    expect(shownChanges([change])).toEqual([shown]);
    expect(shownChanges([{ ...change, before: change.after, after: null }])).toEqual([
      { ...shown, before: "data", after: "off" },
    ]);
    expect(pathText("settings.events.pre")).toBe("Before the call");
    expect(valueText("settings.events.pre", "off").text).toBe("Off");
    expect(valueText("settings.events.post", "data").text).toBe("With data: its result, or its error");
  });

  it("name what they change, or its path", () => {
    expect(pathText("settings.timeoutMs")).toBe("Timeout (ms)");
    expect(pathText("settings.later")).toBe("settings.later");
    expect(pathText("constructor")).toBe("constructor");
  });

  it("read as words, and long ones are folded", () => {
    expect(valueText("enabled", true)).toEqual({ text: "yes", isLong: false });
    expect(valueText("roles", [])).toEqual({ text: "none", isLong: false });
    expect(valueText("roles", ["sales", "admin"]).text).toBe("sales, admin");
    expect(valueText("settings.timeoutMs", 3000).text).toBe("3000");
    expect(valueText("settings.outputSchema", { type: "object" }).isLong).toBe(true);
    const long = valueText("description", "word ".repeat(30));
    expect(long.isLong).toBe(true);
    expect(beginning(long.text)).toMatch(/^word word .*…$/);
  });

  it("say in words with whom a tool was shared", () => {
    const to = (value: Parameters<typeof valueText>[1]) => valueText("audience", value).text;
    expect(to(null)).toBe("Those who may edit tools, and users of agents that link it");
    expect(to({ everyone: true, users: [], roles: ["sales"] })).toBe("Everyone");
    expect(to({ everyone: false, users: ["u"], roles: ["sales"] })).toBe("u, sales");
    expect(to({ everyone: false, users: [], roles: [] })).toBe("Chosen users and roles");
  });
});
