// Takes a picture of every widget, under the policy of the server, and checks each page with axe.
// node gallery/look.mjs [folder]
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { build } from "vite";
import { assertAccessible, openContext, startBrowser } from "../e2e/harness/browser.mjs";

const slice = 1500;
const web = new URL("..", import.meta.url).pathname;
const pictures = process.argv[2] ?? join(tmpdir(), "toolcrib-gallery");
const kinds = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".woff2": "font/woff2" };
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'";
const looks = {
  light: { width: 1000, query: "theme=light" },
  dark: { width: 1000, query: "theme=dark" },
  narrow: { width: 390, query: "theme=light" },
  "narrow-dark-rtl": { width: 390, query: "theme=dark&dir=rtl" },
  rtl: { width: 1000, query: "theme=light&dir=rtl" },
};

async function serve(folder) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://x");
    const file = join(folder, normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
    try {
      const body = await readFile(file);
      response.setHeader("content-type", kinds[extname(file)] ?? "application/octet-stream");
      response.setHeader("content-security-policy", policy);
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** A value that is looked at with the keys, and then everything as a table. */
async function act(page, name) {
  for (const shot of ["bar", "pie", "longBar"]) {
    const chart = page.locator(`[data-shot="${shot}"] svg[role="img"]`);
    await chart.focus();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("ArrowRight");
    await page
      .locator(`[data-shot="${shot}"]`)
      .screenshot({ path: join(pictures, `${name}-key-${shot}.png`) });
  }
  const switches = page.getByRole("button", { name: "Show as table" });
  for (const each of await switches.all()) await each.click();
  await assertAccessible(page, `${name}, as tables`);
  await page.locator('[data-shot="bar"]').screenshot({ path: join(pictures, `${name}-as-table.png`) });
}

const folder = await mkdtemp(join(tmpdir(), "toolcrib-gallery-build-"));
await mkdir(pictures, { recursive: true });
await build({
  root: web,
  logLevel: "warn",
  build: { outDir: folder, emptyOutDir: true, rollupOptions: { input: join(web, "gallery/index.html") } },
});
const server = await serve(folder);
const base = `http://127.0.0.1:${server.address().port}`;
const browser = await startBrowser();
try {
  for (const [name, look] of Object.entries(looks)) {
    const session = await openContext(
      browser,
      { base },
      {
        viewport: { width: look.width, height: 900 },
        reducedMotion: "reduce",
      },
    );
    const page = await session.newPage();
    await page.goto(`${base}/gallery/?${look.query}`);
    await page.locator("[data-shot] figure").last().waitFor();
    await page.waitForLoadState("networkidle");
    await assertAccessible(page, name);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    if (wide > look.width) throw new Error(`${name} is ${wide} px wide`);
    const tall = await page.evaluate(() => document.documentElement.scrollHeight);
    for (let y = 0, part = 1; y < tall; y += slice, part += 1)
      await page.screenshot({
        path: join(pictures, `${name}-${part}.png`),
        fullPage: true,
        clip: { x: 0, y, width: look.width, height: Math.min(slice, tall - y) },
      });
    await act(page, name);
    session.assertClean();
    await session.context.close();
    console.log(`${name}: no violations`);
  }
} finally {
  await browser.close();
  server.close();
  await rm(folder, { recursive: true });
}
console.log(pictures);
