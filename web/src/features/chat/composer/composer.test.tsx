import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toolsQuery } from "@/api/tools";
import type { Tool } from "@/api/types";
import { Composer } from "./composer";

const tool = (name: string, title: string, enabled = true): Tool => ({
  name,
  title,
  description: "",
  kind: "record",
  level: "read_only",
  requiresApproval: false,
  enabled,
  composer: false,
  roles: [],
  audience: null,
  settings: {},
  file: null,
  version: 1,
  source: null,
  inputSchema: { type: "object", properties: { id: { type: "string" } } },
  mayEdit: false,
  stats: { calls7d: 0, p50Ms: null, errorRate: null },
  agents: [],
});

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("CSS", { supports: () => true });
  Element.prototype.scrollIntoView = () => undefined;
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

function show(change: { chat?: boolean; busy?: boolean; restored?: string } = {}) {
  const client = new QueryClient();
  const tools = [
    tool("read_record", "Read record"),
    tool("search_records", "Search records"),
    tool("off", "Off", false),
  ];
  client.setQueryDefaults(toolsQuery.queryKey, { staleTime: Number.POSITIVE_INFINITY });
  client.setQueryData(toolsQuery.queryKey, tools);
  const onSend = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <Composer
        placeholder="Ask"
        chat={change.chat ?? true}
        busy={change.busy ?? false}
        restored={change.restored ?? null}
        buttons={[]}
        onSend={onSend}
        onStop={() => undefined}
        onCalled={() => undefined}
        onRestored={() => undefined}
      />
    </QueryClientProvider>,
  );
  const box = screen.getByRole("textbox", { name: "Message" });
  const type = (value: string) => fireEvent.change(box, { target: { value } });
  return { box, type, onSend };
}

describe("Composer", () => {
  it("sends on Enter, and not on Shift+Enter", () => {
    const { box, type, onSend } = show();
    type("hello");
    fireEvent.keyDown(box, { key: "Enter", shiftKey: true });
    expect(onSend).not.toHaveBeenCalled();
    fireEvent.keyDown(box, { key: "Enter" });
    expect(onSend).toHaveBeenCalledExactlyOnceWith("hello");
  });

  it("does not send on the Enter that ends a composition", () => {
    const { box, type, onSend } = show();
    type("にほん");
    fireEvent.keyDown(box, { key: "Enter", isComposing: true });
    fireEvent.keyDown(box, { key: "Enter", keyCode: 229 });
    expect(onSend).not.toHaveBeenCalled();
  });

  it("keeps the text while an answer is being written, and offers to stop it", () => {
    const { box, type, onSend } = show({ busy: true });
    type("next");
    fireEvent.keyDown(box, { key: "Enter" });
    expect(onSend).not.toHaveBeenCalled();
    expect(screen.getByRole("button", { name: "Stop" })).toBeTruthy();
  });

  it("puts a refused message back", () => {
    show({ restored: "not taken" });
    expect(screen.getByDisplayValue("not taken")).toBeTruthy();
  });

  it("keeps what is typed over a reload", () => {
    show().type("half a sent");
    cleanup();
    show();
    expect(screen.getByDisplayValue("half a sent")).toBeTruthy();
  });

  it("opens the tools on a slash and runs one without an agent", async () => {
    const { box, type } = show({ chat: false });
    type("/rec");
    expect(screen.getAllByRole("option")).toHaveLength(2);
    fireEvent.keyDown(box, { key: "ArrowDown" });
    fireEvent.keyDown(box, { key: "Enter" });
    expect(await screen.findByRole("form", { name: "Search records" })).toBeTruthy();
  });

  it("hides the tools on Escape until something else is typed", () => {
    const { box, type } = show();
    type("/rec");
    fireEvent.keyDown(box, { key: "Escape" });
    expect(screen.queryByRole("listbox")).toBeNull();
    type("/reco");
    expect(screen.getByRole("listbox")).toBeTruthy();
  });
});
