import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { t } from "@/lib/t";
import { type Page, pages } from "./pages";

export const isAt = (page: Page, path: string): boolean =>
  page.to === "/" ? path === "/" || path.startsWith("/chat") : path.startsWith(page.to);

/** Names the page in the tab of the browser. */
export function usePageTitle(): void {
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => {
    const page = pages.find((each) => isAt(each, path));
    document.title = page ? t("app.title", { page: t(page.label) }) : t("app.name");
  }, [path]);
}
