// When a page has come to rest. Playwright's "networkidle" can't tell: a page that was idle once stays so for it.
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 15_000;
const STEP_MS = 20;
/** How often in a row nothing may be under way: an answer is drawn first, and may then ask for more. */
const ROUNDS = 3;
const traffic = new WeakMap();

/** An answer that is streamed lasts as long as its run. */
const isStream = (request) => request.headers().accept === "text/event-stream";

/** Keeps what the pages of a context have asked for and not got yet. */
export function watchTraffic(context) {
  context.on("page", (page) => {
    const seen = { open: new Set(), count: 0 };
    traffic.set(page, seen);
    page.on("request", (request) => {
      // Another document takes the place of this one, and what this one waits for goes with it.
      if (request.isNavigationRequest()) seen.open.clear();
      else if (!isStream(request)) seen.open.add(request);
      seen.count += 1;
    });
    page.on("requestfinished", (request) => seen.open.delete(request));
    page.on("requestfailed", (request) => seen.open.delete(request));
  });
}

/** Waits until a page has all that it has asked for, has drawn it, and asks for nothing more. */
export async function settled(page) {
  const seen = traffic.get(page);
  const end = Date.now() + PATIENCE_MS;
  for (let quiet = 0; quiet < ROUNDS; ) {
    const { count } = seen;
    const isDrawn = await page.evaluate(drawn);
    quiet = isDrawn && seen.open.size === 0 && seen.count === count ? quiet + 1 : 0;
    if (quiet > 0) continue;
    if (Date.now() > end)
      throw new Error(
        `The page does not settle; under way: ${[...seen.open].map((each) => each.url()).join(" ") || "nothing"}`,
      );
    await sleep(STEP_MS);
  }
}

/** In the page: tells, two frames on, whether it still says that something is loading. */
async function drawn() {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  await frame();
  await frame();
  await document.fonts.ready;
  return document.querySelector('[role="status"] .spin') === null;
}
