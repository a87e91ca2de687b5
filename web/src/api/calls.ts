import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { request } from "./client";
import type { Call, CallStory, Json, Page } from "./types";

export type CallFilter = { status?: string; tool?: string; conversationId?: string };

function callsPath(filter: CallFilter, cursor: string | null): string {
  const params = new URLSearchParams({ limit: "50" });
  for (const [key, value] of Object.entries(filter)) if (value) params.set(key, value);
  if (cursor) params.set("cursor", cursor);
  return `/api/calls?${params}`;
}

export const callsQuery = (filter: CallFilter) =>
  infiniteQueryOptions({
    queryKey: ["calls", filter],
    queryFn: ({ pageParam, signal }) => request<Page<Call>>(callsPath(filter, pageParam), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });

export const callQuery = (id: string) =>
  queryOptions({ queryKey: ["call", id], queryFn: ({ signal }) => getCall(id, signal) });

export const getCall = (id: string, signal?: AbortSignal) =>
  request<CallStory>(`/api/calls/${encodeURIComponent(id)}`, signal ? { signal } : {});

/** Fetches the stored result behind a `handle://…` address. */
export const getHandle = (handle: string) =>
  request<Json>(`/api/handles/${encodeURIComponent(handle.replace(/^handle:\/\//, ""))}`);
