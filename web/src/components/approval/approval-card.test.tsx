import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Approval, Card } from "@/api/types";
import { ApprovalCard } from "./approval-card";

const update: Card = {
  title: "Update order SO-10482",
  verb: "Update order",
  level: "write",
  irreversible: false,
  summary: "Touches 1 order.",
  fields: [],
  records: [{ id: "1", display: "SO-10482" }],
  recordCount: 1,
  changes: [
    {
      id: "1",
      display: "SO-10482",
      fields: [{ field: "status", label: "Status", before: "Confirmed", after: "Shipped" }],
    },
  ],
  arguments: { id: "SO-10482" },
};
const pending: Approval = {
  id: "a1",
  callId: "c1",
  tool: "update_record",
  status: "pending",
  argumentsHash: "hash-1",
  createdAt: "2026-11-30T10:00:00Z",
  expiresAt: "2099-12-01T10:00:00Z",
  decidedAt: null,
  decider: null,
  reason: null,
  mayDecide: true,
  mayEdit: false,
  mayGrant: false,
  approverRoles: [],
  argumentsBefore: null,
  asker: { id: "u", name: "Ada" },
  conversation: null,
  agent: "shop",
  card: update,
};

let bodies: unknown[] = [];
let reply: { status: number; body: unknown };

beforeEach(() => {
  bodies = [];
  reply = {
    status: 200,
    body: { approval: { ...pending, status: "approved", decider: { id: "u", name: "Ada" } }, call: null },
  };
  vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
    if (init.method === "GET")
      return Response.json({
        ...pending,
        status: "rejected",
        decider: { id: "v", name: "Grace" },
        reason: "No.",
      });
    bodies.push(JSON.parse(String(init.body)));
    return Response.json(reply.body, { status: reply.status });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(approval: Approval = pending) {
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <ApprovalCard approval={approval} />
    </QueryClientProvider>,
  );
}
const card = () => screen.getByRole("article", { name: "Update order SO-10482" });

describe("ApprovalCard", () => {
  it("sends the hash of what was shown, and then says who decided", async () => {
    show();
    fireEvent.click(screen.getByRole("button", { name: "Update order" }));
    await screen.findByText("Approved by Ada: Update order SO-10482");
    expect(bodies).toEqual([{ decision: "approve", argumentsHash: "hash-1" }]);
  });

  it("approves with Ctrl+Enter in the card, and with no other Enter", async () => {
    show();
    fireEvent.keyDown(document.body, { key: "Enter", ctrlKey: true });
    fireEvent.keyDown(card(), { key: "Enter" });
    expect(bodies).toEqual([]);
    fireEvent.keyDown(card(), { key: "Enter", ctrlKey: true });
    await waitFor(() => expect(bodies).toHaveLength(1));
  });

  it("does not approve with Ctrl+Enter in the reason field", async () => {
    show();
    fireEvent.click(screen.getByRole("button", { name: "Request change" }));
    const field = screen.getByLabelText("What should change?");
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
    expect(bodies).toEqual([]);
    fireEvent.change(field, { target: { value: "Only line 2" } });
    fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
    await waitFor(() =>
      expect(bodies).toEqual([
        { decision: "request_change", argumentsHash: "hash-1", reason: "Only line 2" },
      ]),
    );
  });

  it("rejects without a reason, too", async () => {
    show();
    fireEvent.click(screen.getByRole("button", { name: "Reject" }));
    fireEvent.click(screen.getByRole("button", { name: "Reject" }));
    await waitFor(() => expect(bodies).toEqual([{ decision: "reject", argumentsHash: "hash-1" }]));
  });

  it("shows the server's words and the decision when somebody else was faster", async () => {
    reply = {
      status: 409,
      body: { status: 409, code: "already_decided", detail: "Grace rejected this at 10:02." },
    };
    show();
    fireEvent.click(screen.getByRole("button", { name: "Update order" }));
    await screen.findByText("Rejected by Grace: Update order SO-10482");
    expect(screen.getByRole("alert").textContent).toBe("Grace rejected this at 10:02.");
    expect(screen.queryByRole("button", { name: "Update order" })).toBeNull();
  });

  it("has no buttons for those who may not decide", () => {
    show({ ...pending, mayDecide: false });
    expect(screen.queryByRole("button")).toBeNull();
    fireEvent.keyDown(card(), { key: "Enter", ctrlKey: true });
    expect(bodies).toEqual([]);
  });

  it("shows before and after, and warns of what cannot be undone", () => {
    show({ ...pending, card: { ...update, irreversible: true } });
    expect(screen.getByText("Confirmed")).toBeTruthy();
    expect(screen.getByText("Shipped")).toBeTruthy();
    expect(screen.getByText("Cannot be undone")).toBeTruthy();
  });

  it("still says how it ended once its payload was erased", () => {
    show({ ...pending, status: "approved", decider: { id: "u", name: "Ada" }, card: {} });
    expect(screen.getByText("Approved by Ada: a call whose payload was erased")).toBeTruthy();
    expect(screen.getByText("What it asked for was erased.")).toBeTruthy();
  });
});
