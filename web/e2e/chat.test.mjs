import assert from "node:assert/strict";
import test from "node:test";
import { external } from "./harness/app.mjs";
import { startCutProxy } from "./harness/cut-proxy.mjs";
import { eventually } from "./harness/eventually.mjs";
import { settled } from "./harness/settled.mjs";
import { ask, say } from "./harness/shop.mjs";
import { suite } from "./harness/suite.mjs";

const held = suite();
const answered = (page) => page.getByRole("button", { name: "Send" }).waitFor();

test("a question is answered with data", async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/`);
  await say(page, ask.orders);
  await page.getByText("not shipped yet", { exact: true }).waitFor();
  await answered(page);
  const call = page.locator("[data-call]").first();
  const folded = page.getByRole("button", { name: /^Ran \d+ tools/ });
  await call.or(folded).first().waitFor();
  if (!(await call.isVisible())) await folded.click();
  await page.locator('[data-call] > button[aria-expanded="false"]').last().click();
  await page.locator("[data-call]").getByText("SO-").first().waitFor();
});

test("a reload keeps the whole conversation", async () => {
  const { page } = held;
  await page.reload();
  await page.getByText("not shipped yet", { exact: true }).waitFor();
  await page.locator('[data-role="user"]', { hasText: ask.orders }).waitFor();
  await settled(page);
  await eventually(() => page.locator('[data-role="assistant"]').count(), 1);
});

test("hostile markdown makes no request and runs no script", async () => {
  const { page, app, session } = held;
  await page.goto(`${app.base}/`);
  await say(page, ask.hostile);
  await page
    .getByRole("link", { name: /127\.0\.0\.1:9/ })
    .first()
    .waitFor();
  await answered(page);
  await settled(page);
  assert.equal(await page.evaluate(() => globalThis.__owned), undefined);
  assert.equal(await page.locator("main img, main iframe, main script").count(), 0);
  const hrefs = await page
    .locator('[data-role="assistant"] a')
    .evaluateAll((links) => links.map((link) => link.href));
  assert.ok(
    hrefs.every((href) => /^https?:/.test(href)),
    hrefs.join(" "),
  );
  session.assertClean();
});

test("an answer can be stopped", async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/`);
  await say(page, ask.long);
  await page.getByText("Paragraph 1", { exact: false }).first().waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await answered(page);
  await settled(page);
  assert.equal(await page.getByText("Paragraph 39").count(), 0);
});

test("a stream that is cut is joined again and loses nothing", async () => {
  const { app, context } = { ...held, context: held.session.context };
  const proxy = await startCutProxy(app.base);
  held.session.allow(proxy.base);
  const page = await context.newPage();
  try {
    await page.goto(`${proxy.base}/`);
    await say(page, ask.long);
    await page.getByText("Paragraph 2", { exact: false }).first().waitFor();
    proxy.cut();
    await page.getByText("Paragraph 5", { exact: false }).first().waitFor();
    proxy.cut();
    await page.getByText("Paragraph 39").waitFor({ timeout: 60_000 });
    await answered(page);
    const paragraphs = () =>
      page
        .locator('[data-role="assistant"] p')
        .evaluateAll((all) =>
          all.map((each) => /Paragraph \d+/.exec(each.textContent ?? "")?.[0]).filter(Boolean),
        );
    await eventually(
      paragraphs,
      Array.from({ length: external ? 60 : 40 }, (_, index) => `Paragraph ${index}`),
    );
  } finally {
    await page.close();
    proxy.stop();
  }
});
