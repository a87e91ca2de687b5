import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { request, send } from "./client";
import type { Conversation, ConversationLine, Page } from "./types";

const conversationsQuery = infiniteQueryOptions({
  queryKey: ["conversations"],
  queryFn: ({ pageParam, signal }) =>
    request<Page<ConversationLine>>(
      `/api/conversations?limit=60${pageParam ? `&cursor=${encodeURIComponent(pageParam)}` : ""}`,
      {
        signal,
      },
    ),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  // Other tabs and other people move conversations along; the list is how this tab learns of it.
  refetchInterval: 5_000,
});

/** The conversations read so far, newest first. */
export function useConversations() {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(conversationsQuery);
  const lines = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  return { lines, more: hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : null };
}

const at = (id: string) => `/api/conversations/${encodeURIComponent(id)}`;

export const getConversation = (id: string, signal?: AbortSignal) =>
  request<Conversation>(at(id), signal ? { signal } : {});
export const renameConversation = (id: string, title: string) =>
  request<void>(at(id), { method: "PATCH", body: { title } });
export const deleteConversation = (id: string) => request<void>(at(id), { method: "DELETE" });
export const stopConversation = (id: string) => request<void>(`${at(id)}/stop`, { method: "POST" });

export type NewMessage = { conversationId: string; messageId: string; text: string };

export const openChat = (agent: string, message: NewMessage, signal: AbortSignal) =>
  send(`/api/agents/${encodeURIComponent(agent)}/chat`, {
    method: "POST",
    signal,
    headers: { accept: "text/event-stream" },
    body: {
      id: message.conversationId,
      messages: [{ id: message.messageId, role: "user", parts: [{ type: "text", text: message.text }] }],
      trigger: "submit-message",
    },
  });

export const openStream = (id: string, signal: AbortSignal) =>
  send(`${at(id)}/stream`, { signal, headers: { accept: "text/event-stream" } });
