import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Call, Level, Tool } from "@/api/types";
import { CallOutcome } from "@/components/call/call-outcome";
import { ToolRunForm } from "./tool-run-form";

const tool = (level: Level): Tool => ({
  name: "update_record",
  title: "Update records",
  description: "",
  kind: "record",
  level,
  requiresApproval: true,
  enabled: true,
  composer: true,
  roles: [],
  audience: null,
  settings: {},
  file: null,
  version: 1,
  source: null,
  inputSchema: { type: "object", properties: {} },
  mayEdit: true,
  stats: { calls7d: 0, p50Ms: null, errorRate: null },
  agents: [],
});

const tried: Call = {
  id: "c1",
  tool: "update_record",
  toolVersion: 1,
  title: "Update order SO-1",
  titleDone: null,
  level: "write",
  status: "succeeded",
  waitingFor: null,
  arguments: {},
  output: { records: [] },
  error: null,
  shown: false,
  startedAt: "2026-11-30T10:00:00Z",
  endedAt: "2026-11-30T10:00:00Z",
  durationMs: 1,
  asker: { id: "u", name: "Ada" },
  agent: null,
  conversationId: null,
  via: "api",
  trial: {
    wouldChange: {
      title: "Update order SO-1",
      verb: "Update order",
      level: "write",
      irreversible: false,
      summary: "Touches 1 order.",
      fields: [],
      records: [{ id: "1", display: "SO-1" }],
      recordCount: 1,
      changes: [
        {
          id: "1",
          display: "SO-1",
          fields: [{ field: "status", label: "Status", before: "Confirmed", after: "Shipped" }],
        },
      ],
      arguments: {},
    },
  },
  approval: null,
};

let bodies: unknown[] = [];
beforeEach(() => {
  bodies = [];
  vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
    bodies.push(JSON.parse(String(init.body)));
    return Response.json({ call: tried });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(level: Level) {
  const onCalled = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToolRunForm tool={tool(level)} onCalled={onCalled} />
    </QueryClientProvider>,
  );
  return onCalled;
}

it("tries a call as a trial, and runs it for real as none", async () => {
  const onCalled = show("write");
  fireEvent.click(screen.getByRole("button", { name: "Try" }));
  await waitFor(() => expect(onCalled).toHaveBeenCalledTimes(1));
  expect(bodies).toEqual([{ arguments: {}, trial: true }]);
  fireEvent.click(screen.getByRole("button", { name: "Run once" }));
  await waitFor(() => expect(onCalled).toHaveBeenCalledTimes(2));
  expect(bodies[1]).toEqual({ arguments: {} });
});

it("offers no trial of a tool that changes nothing", () => {
  show("read_only");
  expect(screen.queryByRole("button", { name: "Try" })).toBeNull();
});

it("says that a trial changed nothing, and shows what it would have changed", () => {
  const client = new QueryClient();
  const { rerender } = render(
    <QueryClientProvider client={client}>
      <CallOutcome call={tried} />
    </QueryClientProvider>,
  );
  screen.getByText("This was a trial. Nothing was changed.");
  screen.getByRole("cell", { name: "Shipped" });
  rerender(
    <QueryClientProvider client={client}>
      <CallOutcome call={{ ...tried, trial: null }} />
    </QueryClientProvider>,
  );
  expect(screen.queryByText(/This was a trial/)).toBeNull();
});
