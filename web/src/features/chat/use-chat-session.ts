import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { ChatSession, type Snapshot } from "./chat-session";

/**
 * Sessions by conversation id. They outlive the page that shows them, so that going to another
 * page and back does not cut a stream; the oldest ones that are at rest are let go.
 */
const sessions = new Map<string, ChatSession>();
const KEPT = 20;

function sessionFor(id: string, agent: string | null, onTurn: () => void): ChatSession {
  const known = sessions.get(id);
  if (known) return known;
  const session = new ChatSession(id, agent, onTurn);
  sessions.set(id, session);
  for (const [oldId, old] of sessions) {
    if (sessions.size <= KEPT) break;
    if (old !== session && old.snapshot().link === "closed") sessions.delete(oldId);
  }
  return session;
}

/** Begins a conversation that the server does not know yet. */
export function useNewSession(): (id: string, agent: string) => ChatSession {
  const onTurn = useOnTurn();
  return (id, agent) => sessionFor(id, agent, onTurn);
}

function useOnTurn(): () => void {
  const client = useQueryClient();
  return () => {
    for (const key of ["conversations", "approvals", "calls"])
      void client.invalidateQueries({ queryKey: [key] });
  };
}

export function useChatSession(id: string): [ChatSession, Snapshot] {
  const onTurn = useOnTurn();
  const [held, setHeld] = useState(() => sessionFor(id, null, onTurn));
  const session = held.id === id ? held : sessionFor(id, null, onTurn);
  if (session !== held) setHeld(session);
  useEffect(() => {
    // Also when the session is known: the conversation may have moved on in another tab.
    if (session.snapshot().link === "closed") void session.load();
  }, [session]);
  return [session, useSyncExternalStore(session.subscribe, session.snapshot)];
}

export function forgetSession(id: string): void {
  sessions.get(id)?.close();
  sessions.delete(id);
}
