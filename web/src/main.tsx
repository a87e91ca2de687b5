import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "./styles.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError, SIGNED_OUT } from "./api/client";
import { router } from "./app/router";
import { watchPreferences } from "./lib/preferences";
import { takeSignInToken } from "./lib/sign-in-token";

// Dialogs add a style element to lock scrolling; the content policy wants its nonce.
setNonce(document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "");
takeSignInToken();
watchPreferences();

const client = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
    },
  },
});
window.addEventListener(SIGNED_OUT, () => {
  if (window.location.pathname === "/sign-in") return;
  client.clear();
  void router.navigate({ to: "/sign-in", replace: true });
});

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
