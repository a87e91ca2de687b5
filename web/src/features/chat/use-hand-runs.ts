import { useInfiniteQuery, useQueries } from "@tanstack/react-query";
import { useState } from "react";
import { callQuery, callsQuery } from "@/api/calls";
import type { Call } from "@/api/types";
import type { Message } from "./stream/thread";

/** A call made by hand, and the message it stands after. */
export type HandRun = { call: Call; after: string | null };
type Place = { id: string; after: string | null };

const keyOf = (conversationId: string | null) => `toolcrib.hand-runs.${conversationId ?? "none"}`;

function stored(conversationId: string | null): Place[] {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(conversationId)) ?? "[]") as Place[];
  } catch {
    return [];
  }
}

function store(conversationId: string | null, places: Place[]): void {
  try {
    sessionStorage.setItem(keyOf(conversationId), JSON.stringify(places));
  } catch {
    // Without storage a reload shows the calls on the page "Calls" only.
  }
}

/**
 * Calls made by hand beside the messages. The server has the calls; which message one followed is
 * known to this tab alone, so elsewhere they stand at the end.
 */
export function useHandRuns(conversationId: string | null, messages: Message[]) {
  const [places, setPlaces] = useState(() => stored(conversationId));
  const [fresh, setFresh] = useState<Call[]>([]);
  const ofConversation = useInfiniteQuery({
    ...callsQuery({ conversationId: conversationId ?? "" }),
    enabled: conversationId !== null,
  });
  const byId = useQueries({
    queries: conversationId === null ? places.map((place) => ({ ...callQuery(place.id), retry: false })) : [],
  });
  const inAnswers = new Set(
    messages.flatMap((message) => message.parts.map((part) => (part.type === "tool" ? part.id : ""))),
  );
  const known = new Map<string, Call>();
  for (const page of ofConversation.data?.pages ?? [])
    for (const call of page.items) known.set(call.id, call);
  for (const query of byId) if (query.data) known.set(query.data.id, query.data);
  for (const call of fresh) known.set(call.id, call);

  const runs: HandRun[] = [...known.values()]
    .filter((call) => !inAnswers.has(call.id) && call.via !== "chat")
    .sort((a, b) => a.startedAt.localeCompare(b.startedAt))
    .map((call) => ({ call, after: places.find((place) => place.id === call.id)?.after ?? null }));

  const add = (call: Call) => {
    const next = [...places, { id: call.id, after: messages.at(-1)?.id ?? null }];
    setPlaces(next);
    store(conversationId, next);
    setFresh((calls) => [...calls, call]);
  };
  const dismiss = (id: string) => {
    const next = places.filter((place) => place.id !== id);
    setPlaces(next);
    store(conversationId, next);
    setFresh((calls) => calls.filter((call) => call.id !== id));
  };
  return { runs, add, dismiss };
}
