import { queryOptions } from "@tanstack/react-query";
import { ApiError, request } from "./client";
import type { Allowance, PolicySubject, UsageLimits, UsageLine, UsagePolicy } from "./types";

const POLICIES = "/api/usage-policies";

/** The days that are looked at, both of them included; in UTC, as usage is counted. */
export type Days = { from: string; to: string };

export const usedQuery = ({ from, to }: Days, userId?: string) =>
  queryOptions({
    queryKey: ["usage", "used", { from, to, userId }],
    queryFn: async ({ signal }) => {
      const params = new URLSearchParams({ from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` });
      if (userId) params.set("userId", userId);
      return (await request<{ items: UsageLine[] }>(`/api/usage?${params}`, { signal })).items;
    },
  });

export const allowanceQuery = queryOptions({
  queryKey: ["usage", "allowance"],
  queryFn: ({ signal }) => request<Allowance>("/api/usage/allowance", { signal }),
});

export const policiesQuery = queryOptions({
  queryKey: ["usage", "policies"],
  queryFn: async ({ signal }) => (await request<{ items: UsagePolicy[] }>(POLICIES, { signal })).items,
});

const at = (id: string) => `${POLICIES}/${encodeURIComponent(id)}`;

export const addPolicy = (policy: PolicySubject & UsageLimits) =>
  request<UsagePolicy>(POLICIES, { method: "POST", body: policy });

export const changePolicy = ({ id, version }: UsagePolicy, limits: UsageLimits) =>
  request<UsagePolicy>(at(id), { method: "PUT", body: limits, headers: { "if-match": `"${version}"` } });

/** Deletes a policy. One that is gone already is as good as deleted. */
export async function deletePolicy(id: string): Promise<void> {
  try {
    await request<void>(at(id), { method: "DELETE" });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}
