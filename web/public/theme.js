// Runs before the first paint, so that a dark page never flashes light. It is a file of its own
// because the content policy forbids inline scripts. Mirrors `src/lib/preferences.ts`.
(() => {
  const root = document.documentElement;
  let stored = {};
  try {
    stored = JSON.parse(localStorage.getItem("toolcrib.preferences") ?? "{}");
  } catch {
    // A blocked or broken storage means the defaults.
  }
  const dark =
    stored.theme === "dark" ||
    (stored.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "dark" : "light";
  root.dataset.density = stored.density === "compact" ? "compact" : "comfortable";
})();
