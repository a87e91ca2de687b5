import { queryOptions } from "@tanstack/react-query";
import { ApiError, request } from "./client";
import type { Grant } from "./types";

export const grantsQuery = queryOptions({
  queryKey: ["grants"],
  queryFn: async ({ signal }) => (await request<{ items: Grant[] }>("/api/grants", { signal })).items,
});

/** Takes a decision for later calls back. One that is gone already is as good as revoked. */
export async function revokeGrant(id: string): Promise<void> {
  try {
    await request<void>(`/api/grants/${encodeURIComponent(id)}`, { method: "DELETE" });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}
