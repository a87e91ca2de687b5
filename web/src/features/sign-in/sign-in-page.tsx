import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { LogIn } from "lucide-react";
import { useEffect, useState } from "react";
import { sessionQuery, signIn } from "@/api/session";
import { Button } from "@/components/button";
import { Spinner } from "@/components/spinner";
import { errorText } from "@/lib/error-text";
import { forgetSignInToken, signInToken, takeSignInToken } from "@/lib/sign-in-token";
import { t } from "@/lib/t";

/** Spends the one-time link, when the person says so: opening a page must not use it up. */
export function SignInPage() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [token, setToken] = useState(signInToken);
  const { data: session } = useQuery({ ...sessionQuery, retry: false });
  useEffect(() => {
    // A second link pasted into the same tab changes only the fragment.
    const onHash = () => {
      takeSignInToken();
      setToken(signInToken());
    };
    window.addEventListener("hashchange", onHash);
    return () => window.removeEventListener("hashchange", onHash);
  }, []);
  const enter = useMutation({
    mutationFn: (value: string) => signIn(value),
    onSuccess: (next) => {
      forgetSignInToken();
      client.clear();
      client.setQueryData(sessionQuery.queryKey, next);
      void navigate({ to: "/", replace: true });
    },
  });
  return (
    <main id="main" className="grid flex-1 place-items-center bg-rail px-4">
      <div className="grid w-full max-w-sm gap-4 rounded-xl border border-line bg-canvas p-6 shadow-lift">
        <span
          aria-hidden
          className="grid size-9 place-items-center rounded-lg bg-accent font-semibold text-accent-ink text-title"
        >
          T
        </span>
        <div>
          <h1 className="font-semibold text-title">{t("signIn.title")}</h1>
          <p className="mt-1 text-ink-2">{token ? t("signIn.ready") : t("signIn.noLink")}</p>
          {token ? null : (
            <code className="mt-3 block rounded-md bg-sunken px-2.5 py-1.5 font-mono text-small">
              {t("signIn.command")}
            </code>
          )}
        </div>
        {enter.isError ? (
          <p role="alert" className="text-danger">
            {errorText(enter.error)}
          </p>
        ) : null}
        {token ? (
          <Button
            variant="primary"
            autoFocus
            className="justify-center"
            disabled={enter.isPending}
            onClick={() => enter.mutate(token)}
          >
            {enter.isPending ? <Spinner className="text-current" /> : <LogIn aria-hidden />}
            {t("signIn.action")}
          </Button>
        ) : null}
        {session && !token ? (
          <Button variant="primary" className="justify-center" onClick={() => void navigate({ to: "/" })}>
            {t("signIn.continue", { name: session.user.name })}
          </Button>
        ) : null}
      </div>
    </main>
  );
}
