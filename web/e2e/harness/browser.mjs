// Chromium, signed in once a server, with everything collected that must never happen.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { eventually } from "./eventually.mjs";
import { watchTraffic } from "./settled.mjs";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const flags = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function startBrowser() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
}

/** What a page must never do, seen over all tests that use this context. */
function watch(context, base) {
  const seen = { violations: [], errors: [], foreign: [] };
  const origins = new Set([new URL(base).origin]);
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && !origins.has(url.origin)) seen.foreign.push(request.url());
  });
  context.on("console", (message) => {
    const text = message.text();
    if (text.startsWith("CSP ") || text.includes("Content Security Policy")) seen.violations.push(text);
  });
  context.on("weberror", (error) => seen.errors.push(String(error.error())));
  return { seen, allow: (origin) => origins.add(new URL(origin).origin) };
}

export async function openContext(browser, app, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, ...options });
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.log(
        `CSP ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`,
      );
    });
  });
  watchTraffic(context);
  const { seen, allow } = watch(context, app.base);
  return {
    context,
    allow,
    newPage: () => context.newPage(),
    assertClean() {
      assert.deepEqual(seen.violations, [], "content policy violations");
      assert.deepEqual(seen.foreign, [], "requests to other origins");
      assert.deepEqual(seen.errors, [], "uncaught errors");
    },
  };
}

/** Spends the printed link, and keeps the cookie for further contexts. */
export async function signIn(session, app) {
  const page = await session.newPage();
  await page.goto(app.signIn);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor();
  await eventually(() => page.url().includes("token"), false, "the token is not in the address bar");
  return page;
}

export async function assertAccessible(page, name) {
  // Colours are measured at the end of a transition, not in the middle of it.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((each) => each.finished.catch(() => undefined))),
  );
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const lines = violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(" | ")}`);
  assert.deepEqual(lines, [], `accessibility of ${name}`);
}

/** Calls the API as the page does, with its cookie and its origin. */
export function api(page, path, { method = "GET", body, headers = {} } = {}) {
  return page.evaluate(
    async ([url, init]) => {
      const response = await fetch(url, init);
      return response.status === 204 ? null : response.json();
    },
    [
      path,
      body
        ? { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) }
        : { method, headers },
    ],
  );
}
