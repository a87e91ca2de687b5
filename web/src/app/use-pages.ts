import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { sessionQuery } from "@/api/session";
import { type Page, pages } from "./pages";

/** The pages of the navigation that this user has. */
export function usePages(): Page[] {
  const { data: session } = useQuery(sessionQuery);
  const mayEdit = session?.mayEdit ?? false;
  return useMemo(() => pages.filter((page) => mayEdit || !page.forEditors), [mayEdit]);
}
