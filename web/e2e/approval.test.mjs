import assert from "node:assert/strict";
import test from "node:test";
import { external } from "./harness/app.mjs";
import { eventually } from "./harness/eventually.mjs";
import { settled } from "./harness/settled.mjs";
import { ask, askToShip, pendingCards, say, timesRun } from "./harness/shop.mjs";
import { suite } from "./harness/suite.mjs";

const held = suite();
const approve = (page) => pendingCards(page).getByRole("button", { name: /update/i });
const answered = (page) => page.getByRole("button", { name: "Send" }).waitFor();
/** What the language model says once the call is decided is the end of it: nothing runs after that. */
const ended = async (page) => {
  await page.getByText("Done with the order.").waitFor();
  await answered(page);
};
const decided = (page) => page.locator('[data-approval][data-status]:not([data-status="pending"])').last();

test("the card shows before and after; approving runs the call once", async () => {
  const { page, app } = held;
  const conversation = await askToShip(page, app.base);
  const card = pendingCards(page);
  await card.getByRole("columnheader", { name: "Before" }).waitFor();
  await card.getByRole("columnheader", { name: "After" }).waitFor();
  await card
    .getByText(/^shipped$/i)
    .first()
    .waitFor();
  assert.equal(await timesRun(page, conversation), 0);
  await approve(page).click();
  await ended(page);
  await eventually(() => decided(page).textContent(), /^Approved by /);
  assert.equal(await timesRun(page, conversation), 1);
});

test("a reload while it waits keeps the card, and Ctrl+Enter in it approves", async () => {
  const { page, app } = held;
  const conversation = await askToShip(page, app.base);
  await page.reload();
  await pendingCards(page).waitFor();
  await page.keyboard.press("Control+Enter");
  await settled(page);
  assert.equal(await pendingCards(page).count(), 1, "the key does nothing outside of the card");
  await page.keyboard.press("Alt+a");
  await page.waitForFunction(() => document.activeElement?.hasAttribute("data-approval"));
  await page.keyboard.press("Control+Enter");
  await decided(page).waitFor();
  await ended(page);
  assert.equal(await timesRun(page, conversation), 1);
});

test("a rejection with its reason reaches the language model, and nothing runs", async () => {
  const { page, app } = held;
  const conversation = await askToShip(page, app.base);
  await pendingCards(page).getByRole("button", { name: "Reject" }).click();
  await page.getByLabel("Why not?").fill("The parcel is still in hall 7.");
  await pendingCards(page).getByRole("button", { name: "Reject" }).click();
  await decided(page).waitFor();
  await ended(page);
  await eventually(() => decided(page).textContent(), /Rejected by .*hall 7/s);
  assert.equal(await timesRun(page, conversation), 0);
  if (!external) await eventually(() => app.model.requests(), /hall 7/);
});

test("a requested change reaches the language model, and nothing runs", async () => {
  const { page, app } = held;
  const conversation = await askToShip(page, app.base);
  await pendingCards(page).getByRole("button", { name: "Request change" }).click();
  const send = pendingCards(page).getByRole("button", { name: "Send back" });
  assert.ok(await send.isDisabled(), "a change has to be said");
  await page.getByLabel("What should change?").fill("Set it to delivered instead, code 4711.");
  await send.click();
  await decided(page).waitFor();
  await ended(page);
  await eventually(() => decided(page).textContent(), /asked for a change.*4711/s);
  assert.equal(await timesRun(page, conversation), 0);
  if (!external) await eventually(() => app.model.requests(), /4711/);
});

test("a second tab cannot decide what is decided, and is told so", async () => {
  const { page, app, session } = held;
  const conversation = await askToShip(page, app.base);
  const second = await session.newPage();
  // The inbox of the second tab stays as it was, as if its next look were still to come.
  await second.goto(`${app.base}/approvals`);
  await pendingCards(second).first().waitFor();
  await second.route("**/api/approvals?**", () => undefined);
  await approve(page).click();
  await decided(page).waitFor();
  await ended(page);
  await approve(second).last().click();
  await second.getByRole("alert").waitFor();
  await eventually(() => decided(second).textContent(), /Approved by /);
  assert.equal(await timesRun(page, conversation), 1);
  await second.close();
});

test("a new message sets the waiting call aside", async () => {
  const { page, app } = held;
  const conversation = await askToShip(page, app.base);
  await say(page, ask.orders);
  await page.getByText("not shipped yet", { exact: true }).waitFor();
  await answered(page);
  await pendingCards(page).waitFor({ state: "detached" });
  assert.equal(await timesRun(page, conversation), 0);
});
