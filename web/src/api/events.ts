import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ApiError, request } from "./client";
import type { DeliveryFilter } from "./event-search";
import type { Delivery, Page, Subscriber, SubscriberDraft, TestedSubscriber } from "./types";

const SUBSCRIBERS = "/api/events/subscribers";
const DELIVERIES = "/api/events/deliveries";

export const subscribersQuery = queryOptions({
  queryKey: ["events", "subscribers"],
  queryFn: async ({ signal }) => (await request<{ items: Subscriber[] }>(SUBSCRIBERS, { signal })).items,
  refetchInterval: 5_000,
});

const at = (id: string) => `${SUBSCRIBERS}/${encodeURIComponent(id)}`;

/** Makes a webhook. The secret that signs what it gets is answered this once. */
export const addSubscriber = (draft: SubscriberDraft) =>
  request<{ subscriber: Subscriber; secret: string }>(SUBSCRIBERS, { method: "POST", body: draft });

export const patchSubscriber = ({ id, version }: Subscriber, patch: Partial<SubscriberDraft>) =>
  request<Subscriber>(at(id), { method: "PATCH", body: patch, headers: { "if-match": `"${version}"` } });

/** Deletes a webhook. One that is gone already is as good as deleted. */
export const deleteSubscriber = (id: string) => deleted(at(id));

/** Makes the secret of a webhook anew; the one before signs nothing any more. */
export const renewSecret = async (id: string) =>
  (await request<{ secret: string }>(`${at(id)}/secret`, { method: "POST" })).secret;

export const testSubscriber = (id: string) => request<TestedSubscriber>(`${at(id)}/test`, { method: "POST" });

export const deliveriesQuery = ({ status, subscriberId }: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ["events", "deliveries", { status, subscriberId }],
    queryFn: ({ pageParam, signal }) => {
      const params = new URLSearchParams({ limit: "50" });
      if (status) params.set("status", status);
      if (subscriberId) params.set("subscriberId", subscriberId);
      if (pageParam) params.set("cursor", pageParam);
      return request<Page<Delivery>>(`${DELIVERIES}?${params}`, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });

export const retryDelivery = (id: string) =>
  request<Delivery>(`${DELIVERIES}/${encodeURIComponent(id)}/retry`, { method: "POST" });

export const forgetDelivery = (id: string) => deleted(`${DELIVERIES}/${encodeURIComponent(id)}`);

/** Tries all that failed again, or what failed for one subscriber; answers with how many that are. */
export const retryDeliveries = async (subscriberId: string | undefined) =>
  (
    await request<{ retried: number }>(`${DELIVERIES}/retry`, {
      method: "POST",
      body: subscriberId ? { subscriberId } : {},
    })
  ).retried;

async function deleted(path: string): Promise<void> {
  try {
    await request<void>(path, { method: "DELETE" });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}
