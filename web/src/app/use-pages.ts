import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { mayOpen, sessionQuery } from "@/api/session";
import { type Page, pages } from "./pages";

/** The pages of the navigation that this user has. */
export function usePages(): Page[] {
  const { data: session } = useQuery(sessionQuery);
  return useMemo(
    () => pages.filter(({ guarded }) => !guarded || (session && mayOpen(session, guarded))),
    [session],
  );
}
