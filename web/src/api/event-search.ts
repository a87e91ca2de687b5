import type { SearchSchemaInput } from "@tanstack/react-router";
import type { DeliveryStatus } from "./types";

export const deliveryStatuses = ["waiting", "delivered", "dead"] as const satisfies DeliveryStatus[];

/** Which deliveries are listed. */
export type DeliveryFilter = { status?: DeliveryStatus; subscriberId?: string };

/** What the address of the events says: the subscribers are shown where it says nothing else. */
export type EventSearch = DeliveryFilter & { view?: "deliveries" };

type Search = { [Key in keyof EventSearch]?: unknown };

export function readEventSearch(search: Search & SearchSchemaInput): EventSearch {
  if (search.view !== "deliveries") return {};
  const status = deliveryStatuses.find((each) => each === search.status);
  const { subscriberId } = search;
  return {
    view: "deliveries",
    ...(status ? { status } : {}),
    ...(typeof subscriberId === "string" && subscriberId ? { subscriberId } : {}),
  };
}
