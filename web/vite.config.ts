import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env.TOOLCRIB_URL ?? "http://127.0.0.1:8100";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: { alias: { "@": new URL("./src", import.meta.url).pathname } },
  // The server checks `Origin` on unsafe requests, so the proxy presents the server's own.
  server: { proxy: { "/api": { target: server, changeOrigin: true, headers: { origin: server } } } },
  build: {
    outDir: "dist",
    assetsDir: "assets",
    target: "es2022",
    // The policy allows no `data:` fonts; every asset stays a same-origin file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: { environment: "jsdom", include: ["src/**/*.test.{ts,tsx}"] },
});
