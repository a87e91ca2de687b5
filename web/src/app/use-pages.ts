import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { isAdmin, sessionQuery } from "@/api/session";
import { type Page, pages } from "./pages";

/** The pages of the navigation that this user has. */
export function usePages(): Page[] {
  const { data: session } = useQuery(sessionQuery);
  const editors = session?.mayEdit ?? false;
  const admins = session ? isAdmin(session) : false;
  return useMemo(() => {
    const has = { editors, admins };
    return pages.filter((page) => !page.only || has[page.only]);
  }, [editors, admins]);
}
