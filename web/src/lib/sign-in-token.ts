let token: string | null = null;

/**
 * Takes the one-time token out of the fragment and out of the address bar, so that it is neither
 * in the history nor in what a person copies. Kept in memory only.
 */
export function takeSignInToken(): void {
  const found = new URLSearchParams(window.location.hash.slice(1)).get("token");
  if (!found || window.location.pathname !== "/sign-in") return;
  token = found;
  window.history.replaceState(null, "", window.location.pathname);
}

export const signInToken = (): string | null => token;

export function forgetSignInToken(): void {
  token = null;
}
