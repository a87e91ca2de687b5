import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Approval, Card } from "@/api/types";
import { ApprovalCard } from "./approval-card";

const card: Card = {
  title: "Refund order SO-1",
  verb: "Refund",
  level: "write",
  irreversible: false,
  summary: null,
  fields: [{ label: "Amount", value: "10" }],
  records: [],
  recordCount: 0,
  changes: [],
  arguments: { order: "SO-1", amount: 10 },
};
const pending: Approval = {
  id: "a1",
  callId: "c1",
  tool: "refund",
  status: "pending",
  argumentsHash: "hash-1",
  createdAt: "2026-11-30T10:00:00Z",
  expiresAt: "2099-12-01T10:00:00Z",
  decidedAt: null,
  decider: null,
  reason: null,
  mayDecide: true,
  mayEdit: true,
  mayGrant: false,
  approverRoles: [],
  argumentsBefore: null,
  asker: { id: "u", name: "Ada" },
  conversation: null,
  agent: null,
  card,
};
const schema = {
  type: "object",
  properties: { order: { type: "string" }, amount: { type: "number" } },
  required: ["order", "amount"],
};

let bodies: unknown[] = [];
let reply: { status: number; body: unknown };
beforeEach(() => {
  bodies = [];
  reply = {
    status: 200,
    body: { approval: { ...pending, status: "approved", decider: pending.asker }, call: null },
  };
  vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
    if (init.method === "GET") return Response.json({ name: "refund", inputSchema: schema });
    bodies.push(JSON.parse(String(init.body)));
    return Response.json(reply.body, { status: reply.status });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(change: Partial<Approval> = {}) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ApprovalCard approval={{ ...pending, ...change }} />
    </QueryClientProvider>,
  );
}
const amount = () => screen.findByLabelText(/^Amount/, { selector: "input" });
const edit = async (value: string) => {
  fireEvent.click(screen.getByRole("button", { name: "Edit arguments" }));
  fireEvent.change(await amount(), { target: { value } });
};
const decide = () => fireEvent.click(screen.getByRole("button", { name: "Approve as edited" }));

it("sends edited arguments whole", async () => {
  show();
  await edit("7");
  decide();
  await waitFor(() =>
    expect(bodies).toEqual([
      { decision: "approve", argumentsHash: "hash-1", arguments: { order: "SO-1", amount: 7 } },
    ]),
  );
});

it("sends none where none were changed, or the edits were discarded", async () => {
  show();
  await edit("7");
  fireEvent.change(await amount(), { target: { value: "10" } });
  decide();
  await waitFor(() => expect(bodies).toEqual([{ decision: "approve", argumentsHash: "hash-1" }]));
  cleanup();
  show();
  await edit("7");
  fireEvent.click(screen.getByRole("button", { name: "Discard edits" }));
  fireEvent.click(screen.getByRole("button", { name: "Refund" }));
  await waitFor(() => expect(bodies[1]).toEqual({ decision: "approve", argumentsHash: "hash-1" }));
});

it("sends nothing while something required is missing, or the text is no JSON", async () => {
  show();
  await edit("");
  decide();
  await screen.findByText("Required");
  fireEvent.change(await amount(), { target: { value: "8" } });
  fireEvent.click(screen.getByRole("button", { name: "JSON" }));
  fireEvent.change(screen.getByLabelText("Arguments"), { target: { value: '{"order": ' } });
  decide();
  fireEvent.keyDown(screen.getByLabelText("Arguments"), { key: "Enter", ctrlKey: true });
  expect(bodies).toEqual([]);
});

it("says at the editor why arguments are not fit, and keeps them", async () => {
  reply = { status: 422, body: { code: "arguments_unfit", detail: "There is no order SO-1." } };
  show();
  await edit("7");
  decide();
  const editor = screen.getByRole("region", { name: "Edit arguments" });
  await within(editor).findByText("There is no order SO-1.");
  expect(screen.getAllByRole("alert")).toHaveLength(1);
  expect(((await amount()) as HTMLInputElement).value).toBe("7");
});

it("offers no editing of what is withheld, and no approving of what can't be seen", () => {
  show({ card: { ...card, arguments: { order: "[withheld]", amount: 10 } } });
  expect(screen.queryByRole("button", { name: "Edit arguments" })).toBeNull();
  screen.getByRole("button", { name: "Refund" });
  screen.getByText("Parts are withheld: you may not read them.");
  cleanup();
  show({ card: "[withheld]" });
  expect(screen.getAllByRole("button").map((each) => each.textContent)).toEqual(["Request change", "Reject"]);
  fireEvent.keyDown(screen.getByRole("article"), { key: "Enter", ctrlKey: true });
  expect(bodies).toEqual([]);
});

it("an approval is for this call alone unless another is chosen", async () => {
  show({ mayGrant: true, conversation: { id: "k", title: "" } });
  fireEvent.click(screen.getByRole("button", { name: "Refund" }));
  await waitFor(() => expect(bodies).toEqual([{ decision: "approve", argumentsHash: "hash-1" }]));
  cleanup();
  show({ mayGrant: true, conversation: { id: "k", title: "" } });
  fireEvent.click(screen.getByLabelText("In this conversation"));
  fireEvent.click(screen.getByRole("button", { name: "Refund" }));
  await waitFor(() => expect(bodies[1]).toMatchObject({ grant: "conversation" }));
});

it("offers a conversation only where there is one", () => {
  show({ mayGrant: true });
  expect(screen.getAllByRole("radio").map((each) => each.closest("label")?.textContent)).toEqual([
    "Only this time",
    "Always for me",
  ]);
  cleanup();
  show();
  expect(screen.queryByRole("radio")).toBeNull();
});

it("a decided card shows what it was asked with, and what it was approved with", () => {
  show({ status: "approved", argumentsBefore: { order: "SO-1", amount: 99 } });
  screen.getByText("The arguments were edited before it was approved.");
  const before = screen.getByLabelText("Arguments as asked");
  expect(before.textContent).toContain("99");
  expect(before.closest("details")?.open).toBe(false);
  expect(screen.getByLabelText("Arguments as approved").textContent).toContain("10");
});
