import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { type AuditFilter, auditParams } from "./audit-filter";
import { request } from "./client";
import type { AuditPerson, AuditStory, Call, Chain, Page, Verification } from "./types";

export function auditCallsQuery(filter: AuditFilter) {
  const params = auditParams(filter);
  return infiniteQueryOptions({
    queryKey: ["audit", "calls", params.toString()],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams(params);
      query.set("limit", "50");
      if (pageParam) query.set("cursor", pageParam);
      return request<Page<Call>>(`/api/audit/calls?${query}`, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

const at = (id: string) => `/api/audit/calls/${encodeURIComponent(id)}`;

export const auditCallQuery = (id: string) =>
  queryOptions({
    queryKey: ["audit", "call", id],
    queryFn: ({ signal }) => request<AuditStory>(at(id), { signal }),
  });

export const auditPeopleQuery = queryOptions({
  queryKey: ["audit", "people"],
  queryFn: async ({ signal }) =>
    (await request<{ items: AuditPerson[] }>("/api/audit/people", { signal })).items,
  staleTime: 60_000,
});

export const chainQuery = queryOptions({
  queryKey: ["audit", "chain"],
  queryFn: ({ signal }) => request<Chain>("/api/audit/chain", { signal }),
  refetchInterval: 5_000,
});

/** Recomputes the whole chain, and whether a head that was noted before is part of it. */
export const verifyChain = (head: string) =>
  request<Verification>("/api/audit/verify", { method: "POST", body: head ? { head } : {} });

export function auditExportPath(filter: AuditFilter, format: "csv" | "jsonl"): string {
  const params = auditParams(filter);
  params.set("format", format);
  return `/api/audit/export?${params}`;
}

export const erasePayload = (id: string, reason: string) =>
  request<void>(`${at(id)}/payload`, { method: "DELETE", body: { reason } });
