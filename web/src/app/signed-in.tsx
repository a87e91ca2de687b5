import { useQuery } from "@tanstack/react-query";
import { Navigate, Outlet } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { ApiError } from "@/api/client";
import { sessionQuery } from "@/api/session";
import { buttonClass } from "@/components/button";
import { Failed, Loading } from "@/components/page-state";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { Header } from "./header";
import { usePageTitle } from "./use-page-title";
import { useShortcuts } from "./use-shortcuts";

const Palette = lazy(() => import("./palette/palette").then((module) => ({ default: module.Palette })));
const KeysDialog = lazy(() => import("./keys-dialog").then((module) => ({ default: module.KeysDialog })));

/** Everything behind the sign-in: header, page, palette, keys. */
export function SignedIn() {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  const [overlay, setOverlay] = useState<"palette" | "keys" | null>(null);
  useShortcuts(setOverlay);
  usePageTitle();
  if (error instanceof ApiError && error.status === 401) return <Navigate to="/sign-in" replace />;
  if (error) return <Failed text={errorText(error)} onRetry={() => void refetch()} />;
  if (!session) return <Loading />;
  const close = () => setOverlay(null);
  return (
    <>
      <a href="#main" className={`skip-link ${buttonClass("primary")}`}>
        {t("app.skip")}
      </a>
      <Header onPalette={() => setOverlay("palette")} />
      <Outlet />
      <Suspense>
        {overlay === "palette" ? <Palette onClose={close} onKeys={() => setOverlay("keys")} /> : null}
        {overlay === "keys" ? <KeysDialog onClose={close} /> : null}
      </Suspense>
    </>
  );
}
