import { queryOptions } from "@tanstack/react-query";
import { request } from "./client";
import type { Session } from "./types";

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => request<Session>("/api/session", { signal }),
  staleTime: 60_000,
  retry: false,
});

export const isAdmin = (session: Session): boolean => session.user.roles.includes("admin");

/** A page that not everybody has. */
export type GuardedPage = "audit" | "data" | "events";

/** Whether this user has the page. */
export function mayOpen(session: Session, page: GuardedPage): boolean {
  switch (page) {
    case "audit":
    case "events":
      return isAdmin(session);
    case "data":
      return session.mayEdit;
  }
}

export const signIn = (token: string) =>
  request<Session>("/api/session", { method: "POST", body: { token } });

export const signOut = () => request<void>("/api/session", { method: "DELETE" });
