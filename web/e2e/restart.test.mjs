import assert from "node:assert/strict";
import test from "node:test";
import { external } from "./harness/app.mjs";
import { ask, askToShip, pendingCards, say, timesRun } from "./harness/shop.mjs";
import { suite } from "./harness/suite.mjs";

const held = suite();
const skip = external && "needs a server of its own to kill";

test("a call that waits outlives kill -9, and runs once when it is approved", { skip }, async () => {
  const { page, app } = held;
  const conversation = await askToShip(page, app.base);
  await app.kill();
  await app.restart();
  await page.reload();
  await pendingCards(page)
    .getByRole("button", { name: /update/i })
    .click();
  await page.getByText("Done with the order.").waitFor();
  assert.equal(await timesRun(page, conversation), 1);
});

test("an answer that kill -9 cuts comes to an end after the restart, without a reload", {
  skip,
}, async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/`);
  await say(page, ask.long);
  await page.getByText("Paragraph 2", { exact: false }).first().waitFor();
  await app.kill();
  await page.getByText("Reconnecting", { exact: false }).waitFor();
  await app.restart();
  await page.getByRole("button", { name: "Send" }).waitFor({ timeout: 90_000 });
  await page.locator('[data-role="user"]', { hasText: ask.long }).waitFor();
});
