import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark" | "system";
export type Density = "comfortable" | "compact";
export type Preferences = { theme: Theme; density: Density };

const KEY = "toolcrib.preferences";
const systemDark = () => window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let preferences = read();

function read(): Preferences {
  let stored: Partial<Preferences> = {};
  try {
    stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Preferences>;
  } catch {
    // A blocked or broken storage means the defaults.
  }
  return {
    theme: stored.theme === "light" || stored.theme === "dark" ? stored.theme : "system",
    density: stored.density === "compact" ? "compact" : "comfortable",
  };
}

export const isDark = (theme: Theme): boolean =>
  theme === "dark" || (theme === "system" && systemDark().matches);

function apply(): void {
  const { dataset } = document.documentElement;
  dataset.theme = isDark(preferences.theme) ? "dark" : "light";
  dataset.density = preferences.density;
}

export function setPreferences(change: Partial<Preferences>): void {
  preferences = { ...preferences, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // The choice then lasts as long as the page.
  }
  apply();
  for (const listener of listeners) listener();
}

/** Follows the system's theme and the choices made in other tabs. */
export function watchPreferences(): void {
  systemDark().addEventListener("change", () => {
    preferences = { ...preferences };
    apply();
    for (const listener of listeners) listener();
  });
  window.addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    preferences = read();
    apply();
    for (const listener of listeners) listener();
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, () => preferences);
