import { ApiError } from "@/api/client";
import { getConversation, openChat, openStream, stopConversation } from "@/api/conversations";
import type { Approval } from "@/api/types";
import { backoff, sleep } from "@/lib/backoff";
import { errorText } from "@/lib/error-text";
import { uuid } from "@/lib/uuid";
import type { Chunk } from "./stream/chunks";
import { readStream } from "./stream/read-stream";
import { reduce, withApproval } from "./stream/reduce";
import { emptyThread, type Thread, threadOf } from "./stream/thread";

export type Phase = "loading" | "ready" | "missing" | "broken";
export type Link = "closed" | "sending" | "streaming" | "reconnecting";

export type Snapshot = {
  thread: Thread;
  agent: string | null;
  phase: Phase;
  link: Link;
  /** Why the last thing this tab tried did not work; shown above the composer. */
  error: string | null;
  /** The text of a message that the server did not take, to be put back into the composer. */
  unsent: string | null;
};

const SETTLE_MS = 3_000;

type Outcome = "ended" | "cut" | "nothing" | "early";
type Attempt = (signal: AbortSignal) => Promise<Response>;

/** One conversation as this tab holds it: the stored part, the live stream, and how to rejoin it. */
export class ChatSession {
  readonly id: string;
  private state: Snapshot;
  private readonly listeners = new Set<() => void>();
  private current: AbortController | null = null;
  private frame = 0;
  private readonly onTurn: () => void;
  private syncedAt = Date.now();

  /** `onTurn` is called when a run starts or ends, so that lists elsewhere can be read again. */
  constructor(id: string, agent: string | null, onTurn: () => void) {
    this.id = id;
    this.onTurn = onTurn;
    this.state = {
      thread: emptyThread,
      agent,
      phase: agent ? "ready" : "loading",
      link: "closed",
      error: null,
      unsent: null,
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly snapshot = (): Snapshot => this.state;

  /** Reads the stored conversation and joins its run when one is going on. */
  async load(): Promise<void> {
    const before = this.state.thread;
    try {
      const conversation = await getConversation(this.id);
      // What a stream has delivered since is newer than the answer to this request.
      if (this.state.link !== "closed" || this.state.thread !== before) return;
      this.syncedAt = Date.now();
      this.set({
        thread: { ...threadOf(conversation), end: before.end },
        agent: conversation.agent,
        phase: "ready",
      });
      if (conversation.state === "running") void this.join();
    } catch (error) {
      const missing = error instanceof ApiError && error.status === 404;
      if (this.state.phase !== "ready")
        this.set({ phase: missing ? "missing" : "broken", error: errorText(error) });
    }
  }

  async send(agent: string, text: string): Promise<void> {
    const message = { conversationId: this.id, messageId: uuid(), text };
    const before = this.state.thread;
    const parts = [{ type: "text" as const, key: null, text, streaming: false, read: 0 }];
    const messages = [...before.messages, { id: message.messageId, role: "user" as const, parts }];
    this.set({ thread: { ...before, messages, live: null, end: null }, agent, error: null, unsent: null });
    await this.follow((signal) => openChat(agent, message, signal), {
      onRefused: (error) => this.set({ thread: before, unsent: text, error: errorText(error) }),
    });
  }

  /** Joins the newest run again; a replay changes nothing that is already here. */
  async join(): Promise<void> {
    await this.follow((signal) => openStream(this.id, signal), {});
  }

  async stop(): Promise<void> {
    try {
      await stopConversation(this.id);
    } catch (error) {
      this.set({ error: errorText(error) });
    }
  }

  /** Takes over a decision made here or seen elsewhere; the run goes on by itself, so it is joined. */
  applyApproval(approval: Approval): void {
    this.set({ thread: withApproval(this.state.thread, approval) });
    if (approval.status !== "pending") void this.join();
  }

  /** Whether news of this conversation can be of something else than what was just read here. */
  isStale(): boolean {
    return Date.now() - this.syncedAt > SETTLE_MS;
  }

  rename(title: string): void {
    this.set({ thread: { ...this.state.thread, title } });
  }

  clearUnsent(): void {
    if (this.state.unsent !== null) this.set({ unsent: null });
  }

  /** Lets go of the connection. The run itself goes on at the server. */
  close(): void {
    this.current?.abort();
    this.current = null;
    if (this.state.link !== "closed") this.set({ link: "closed" });
  }

  private async follow(
    first: Attempt,
    { onRefused }: { onRefused?: (error: unknown) => void },
  ): Promise<void> {
    this.current?.abort();
    const controller = new AbortController();
    this.current = controller;
    const { signal } = controller;
    this.set({ link: onRefused ? "sending" : "streaming" });
    this.onTurn();
    let attempt: Attempt = first;
    for (let failures = 0; !signal.aborted; failures += 1) {
      let outcome: Outcome = "cut";
      try {
        outcome = await this.readOnce(attempt, signal);
        // Until the server has answered once, the message itself is sent again; its id makes that safe.
        attempt = (joined) => openStream(this.id, joined);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiError && !isPassing(error)) {
          this.set({ link: "closed", error: onRefused ? null : errorText(error) });
          onRefused?.(error);
          break;
        }
      }
      if (signal.aborted) return;
      if (outcome === "ended") break;
      if (outcome === "nothing" || (outcome === "early" && failures > 6)) {
        this.set({ link: "closed" });
        await this.load();
        break;
      }
      if (outcome === "cut") this.set({ link: "reconnecting" });
      await sleep(backoff(failures), signal);
    }
    if (signal.aborted) return;
    this.syncedAt = Date.now();
    this.set({ link: "closed" });
    this.onTurn();
    // A card that a new message has set aside is only known as such to the server.
    if (onRefused && this.hasPending()) await this.load();
  }

  private async readOnce(attempt: Attempt, signal: AbortSignal): Promise<Outcome> {
    const response = await attempt(signal);
    if (response.status === 204) return "nothing";
    this.set({ link: "streaming" });
    const ended = await readStream(response, (chunk) => this.take(chunk)).catch(() => false);
    if (!ended) return "cut";
    // Between a decision and the run that follows from it, the stream still ends in "waiting".
    return this.state.thread.end?.state === "waiting" && !this.hasPending() ? "early" : "ended";
  }

  private hasPending(): boolean {
    return Object.values(this.state.thread.approvals).some((approval) => approval.status === "pending");
  }

  private take(chunk: Chunk): void {
    this.state = { ...this.state, thread: reduce(this.state.thread, chunk) };
    // One render a frame, however many tokens arrive in it.
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.emit());
  }

  private set(change: Partial<Snapshot>): void {
    this.state = { ...this.state, ...change };
    this.emit();
  }

  private emit(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    for (const listener of this.listeners) listener();
  }
}

/** A gateway's way of saying that the server is away for a moment. */
const isPassing = (error: ApiError): boolean => [502, 503, 504].includes(error.status);
