import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ChatSession } from "./chat-session";

type Reply = { status?: number; json?: unknown; frames?: unknown[]; done?: boolean; broken?: boolean };

let replies: Reply[] = [];
let requests: string[] = [];

function respond(reply: Reply): Response {
  const status = reply.status ?? 200;
  if (reply.json !== undefined) return new Response(JSON.stringify(reply.json), { status });
  if (status === 204) return new Response(null, { status });
  const text = (reply.frames ?? []).map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("");
  return new Response(text + (reply.done === false ? "" : "data: [DONE]\n\n"), { status });
}

beforeEach(() => {
  replies = [];
  requests = [];
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => {
    run();
    return 0;
  });
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    requests.push(`${init.method} ${path}`);
    const reply = replies.shift();
    if (!reply || reply.broken) throw new TypeError("Failed to fetch");
    return respond(reply);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const start = [{ type: "start", messageId: "m1" }, { type: "start-step" }];
const text = [
  { type: "text-start", id: "0" },
  { type: "text-delta", id: "0", delta: "Five orders." },
  { type: "text-end", id: "0" },
];
const finish = (state: string) => ({ type: "finish", messageMetadata: { state } });
const problem = (status: number, code: string, detail: string): Reply => ({
  status,
  json: { status, code, detail },
});
const answer = (session: ChatSession) =>
  session
    .snapshot()
    .thread.messages.flatMap((message) =>
      message.parts.map((part) => (part.type === "text" ? part.text : "")),
    )
    .filter(Boolean);

async function sent(...given: Reply[]): Promise<ChatSession> {
  replies = given;
  const session = new ChatSession("c1", "shop", () => undefined);
  const done = session.send("shop", "Which orders?");
  await vi.runAllTimersAsync();
  await done;
  return session;
}

describe("ChatSession", () => {
  it("sends a message and reads the answer", async () => {
    const session = await sent({ frames: [...start, ...text, finish("done")] });
    expect(answer(session)).toEqual(["Which orders?", "Five orders."]);
    expect(session.snapshot()).toMatchObject({ link: "closed", error: null });
    expect(requests).toEqual(["POST /api/agents/shop/chat"]);
  });

  it("joins again when the connection was cut, also when it closed cleanly", async () => {
    const session = await sent(
      { frames: [...start, ...text.slice(0, 2)], done: false },
      { broken: true },
      { frames: [...start, ...text, finish("done")] },
    );
    expect(answer(session)).toEqual(["Which orders?", "Five orders."]);
    expect(requests.slice(1)).toEqual([
      "GET /api/conversations/c1/stream",
      "GET /api/conversations/c1/stream",
    ]);
  });

  it("sends the same message again while the server has not answered at all", async () => {
    const session = await sent({ broken: true }, { frames: [...start, ...text, finish("done")] });
    expect(requests).toEqual(["POST /api/agents/shop/chat", "POST /api/agents/shop/chat"]);
    expect(answer(session)).toEqual(["Which orders?", "Five orders."]);
  });

  it("gives the text back when the server refuses the message", async () => {
    const session = await sent(problem(409, "run_active", "An answer is being written."));
    expect(session.snapshot()).toMatchObject({
      link: "closed",
      unsent: "Which orders?",
      error: "An answer is being written.",
    });
    expect(session.snapshot().thread.messages).toEqual([]);
  });

  it("does not try a server error for ever", async () => {
    const session = await sent(problem(500, "internal", "Something broke."));
    expect(session.snapshot().error).toBe("Something broke.");
    expect(requests).toHaveLength(1);
  });

  it("reads the stored conversation when there is nothing to join", async () => {
    const stored = {
      id: "c1",
      title: "Orders",
      agent: "shop",
      state: "idle",
      approvals: [],
      messages: [{ id: "m1", role: "assistant", parts: [{ type: "text", text: "Five orders." }] }],
    };
    const session = await sent({ frames: start, done: false }, { status: 204 }, { json: stored });
    expect(answer(session)).toEqual(["Five orders."]);
    expect(session.snapshot().thread.title).toBe("Orders");
  });

  it("waits for the run that follows from a decision", async () => {
    const session = await sent(
      { frames: [...start, finish("waiting")] },
      { frames: [...start, ...text, finish("done")] },
    );
    expect(answer(session)).toEqual(["Which orders?", "Five orders."]);
    expect(session.snapshot().thread.end?.state).toBe("done");
  });

  it("stops reading when it is closed", async () => {
    const session = new ChatSession("c1", "shop", () => undefined);
    replies = [{ broken: true }];
    const done = session.join();
    await vi.advanceTimersByTimeAsync(10);
    session.close();
    await vi.runAllTimersAsync();
    await done;
    expect(requests).toHaveLength(1);
    expect(session.snapshot().link).toBe("closed");
  });

  it("says that a conversation is not there", async () => {
    const session = new ChatSession("c1", null, () => undefined);
    replies = [problem(404, "not_found", "No such conversation.")];
    await session.load();
    expect(session.snapshot().phase).toBe("missing");
  });
});
