import assert from "node:assert/strict";
import test, { after } from "node:test";
import { external } from "./harness/app.mjs";
import { api } from "./harness/browser.mjs";
import { eventually } from "./harness/eventually.mjs";
import { tabTo } from "./harness/keyboard.mjs";
import { looks, wear } from "./harness/looks.mjs";
import { settled } from "./harness/settled.mjs";
import { ask, conversationOf, pendingCards, say, timesRun } from "./harness/shop.mjs";
import { suite } from "./harness/suite.mjs";
import { call, decideBy, pageOf, tool } from "./harness/tools.mjs";

const held = suite();
const skip = external && "needs a server and a model of its own";
const made = {};

/** The page of another user, opened when it is first needed. */
async function of(name) {
  made[name] ??= await pageOf(held, `${name}@shop.test`);
  return made[name].page;
}

after(async () => {
  for (const name of ["mona", "sam"]) await made[name]?.close();
});

const line = (page) => page.locator('[data-approval][data-status]:not([data-status="pending"])');
const card = (page, id) => page.locator(`[data-approval="${id}"]`);
const approve = (within) => within.getByRole("button", { name: "Update order", exact: true });
const status = async (page, id) => (await api(page, `/api/calls/${id}`)).status;

/** An order that this user may write to. */
async function ownOrder(page, skipped = 0) {
  const args = { model: "order", fields: ["number", "status"], limit: 1, offset: skipped };
  const { output } = await call(page, "search_records", args);
  return output.records[0];
}

/** Asks for a change of an order, and leaves it waiting. */
async function askFor(page, values, id) {
  const waiting = await call(page, "update_record", {
    model: "order",
    id: id ?? (await ownOrder(page)).id,
    values,
  });
  assert.equal(waiting.status, "waiting", JSON.stringify(waiting));
  return waiting;
}

async function openApprovals(page) {
  await page.goto(`${held.app.base}/approvals`);
  await page.getByRole("heading", { name: "Approvals", level: 1 }).waitFor();
}

/** Runs a call by hand in the drawer of its tool. */
async function runByHand(page, args) {
  await page.goto(`${held.app.base}/tools/update_record?tab=test`);
  await page.getByRole("button", { name: "JSON", exact: true }).click();
  await page.getByRole("textbox", { name: "Arguments" }).fill(JSON.stringify(args));
  await page.getByRole("button", { name: "Run once" }).click();
}

test("somebody with the role decides the call of a sales person", { skip }, async () => {
  const [sam, mona] = [await of("sam"), await of("mona")];
  await decideBy(held.page, "update_record", { approverRoles: ["manager"] });
  const waiting = await askFor(sam, { note: "Call before ten." });

  await openApprovals(sam);
  const theirs = card(sam, waiting.approval.id);
  await theirs.getByText("Waits for somebody with the role manager.").waitFor();
  await settled(sam);
  assert.equal(await theirs.getByRole("button").count(), 0);
  await sam.getByText("For me to decide", { exact: true }).click();
  await sam.getByText("Nothing of that kind waits").waitFor();
  await sam.getByText("Mine", { exact: true }).click();
  await theirs.waitFor();

  await openApprovals(mona);
  await mona.getByText("Mine", { exact: true }).click();
  await mona.getByText("Nothing of that kind waits").waitFor();
  await mona.getByText("For me to decide", { exact: true }).click();
  await mona.getByText("Sam Sales ran this by hand").waitFor();
  await approve(card(mona, waiting.approval.id)).click();
  await line(mona)
    .getByText(/^Approved by Mona Manager: /)
    .waitFor();
  await eventually(() => status(sam, waiting.id), "succeeded");
});

test("with four eyes the asker can't decide, also with the role", { skip }, async () => {
  const mona = await of("mona");
  await decideBy(held.page, "update_record", { approverRoles: ["manager", "admin"], fourEyes: true });
  const waiting = await askFor(mona, { note: "Both of us." });
  await openApprovals(mona);
  await card(mona, waiting.approval.id)
    .getByText("Waits for somebody with the role manager or admin.")
    .waitFor();

  await openApprovals(held.page);
  const asked = card(held.page, waiting.approval.id);
  await held.page.getByText("Mona Manager ran this by hand").waitFor();
  await asked.getByRole("button", { name: "Reject" }).click();
  await held.page.getByLabel("Why not?").fill("Not on a Sunday.");
  await asked.getByRole("button", { name: "Reject" }).click();
  await line(held.page)
    .getByText(/^Rejected by Ada Admin/)
    .waitFor();
  await eventually(() => status(mona, waiting.id), "rejected");
});

test("what an approver may not read is withheld, and not edited", { skip }, async () => {
  const [sam, mona] = [await of("sam"), await of("mona")];
  await decideBy(held.page, "update_record", { approverRoles: ["sales"], edit: true });
  const criteria = { field: "customer.sales_person", operator: "!=", value: "sam@shop.test" };
  const { output } = await call(mona, "search_records", { model: "order", criteria, limit: 1 });
  const waiting = await askFor(mona, { note: "Very secret." }, output.records[0].id);
  await openApprovals(sam);
  const asked = card(sam, waiting.approval.id);
  await asked.getByText("Parts are withheld: you may not read them.").waitFor();
  await asked.getByText("withheld", { exact: true }).first().waitFor();
  await settled(sam);
  assert.equal(await asked.getByText("Very secret.").count(), 0);
  assert.equal(await asked.getByRole("button", { name: "Edit arguments" }).count(), 0);
  await asked.getByRole("button", { name: "Reject" }).click();
  await asked.getByRole("button", { name: "Reject" }).click();
  await line(sam)
    .getByText(/^Rejected by Sam Sales/)
    .waitFor();
});

test("arguments are edited, refused where they are not fit, and approved", { skip }, async () => {
  const { page } = held;
  await decideBy(page, "update_record", { edit: true });
  const order = await ownOrder(page);
  await runByHand(page, { model: "order", id: order.id, values: { note: "As asked." } });
  const asked = pendingCards(page);
  await asked.getByRole("button", { name: "Edit arguments" }).click();
  const editor = asked.getByRole("region", { name: "Edit arguments" });
  await editor.getByRole("button", { name: "JSON", exact: true }).click();
  const text = editor.getByRole("textbox", { name: "Arguments" });
  const decide = asked.getByRole("button", { name: "Approve as edited" });

  await text.fill('{"model": "order", ');
  await decide.click();
  const hasFocus = () => text.evaluate((field) => document.activeElement === field);
  await eventually(hasFocus, true, "broken JSON is not sent");
  await text.fill(JSON.stringify({ model: "order", id: order.id, values: { status: "nonsense" } }));
  await decide.click();
  await editor.getByRole("alert").waitFor();
  await settled(page);
  assert.equal(await pendingCards(page).count(), 1);

  await text.fill(JSON.stringify({ model: "order", id: order.id, values: { note: "As edited." } }));
  await decide.click();
  await page.locator('[data-call][data-status="succeeded"]').waitFor();
  const decided = line(page);
  await decided.getByText(/^Approved by Ada Admin, with edited arguments: /).click();
  await decided.getByText("Arguments as asked").click();
  await decided.getByLabel("Arguments as asked").getByText('"As asked."').waitFor();
  await decided.getByText("Arguments as approved").click();
  await decided.getByLabel("Arguments as approved").getByText('"As edited."').waitFor();
  const { output } = await call(page, "read_record", { model: "order", id: order.id, fields: ["note"] });
  assert.match(JSON.stringify(output), /As edited\./);
});

test("by keyboard alone a call is edited in its form, and decided", { skip }, async () => {
  const { page } = held;
  const waiting = await askFor(page, { note: "By mouse." });
  await openApprovals(page);
  const asked = card(page, waiting.approval.id);
  await asked.waitFor();
  await page.keyboard.press("Alt+a");
  await tabTo(page, asked.getByRole("button", { name: "Edit arguments" }));
  await page.keyboard.press("Enter");
  const editor = asked.getByRole("region", { name: "Edit arguments" });
  await editor.waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Edit arguments");
  const values = editor.getByRole("textbox", { name: "Values", exact: true });
  await tabTo(page, values);
  await page.keyboard.press("Control+a");
  await page.keyboard.type('{"note": "By keyboard."}');
  await page.keyboard.press("Control+Enter");
  await line(page)
    .getByText(/^Approved by Ada Admin, with edited arguments/)
    .waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "SUMMARY");
  const { arguments: ran } = await api(page, `/api/calls/${waiting.id}`);
  assert.deepEqual(ran.values, { note: "By keyboard." });
});

test("an approval for all later calls is listed, and asks again once revoked", { skip }, async () => {
  const { page, app } = held;
  await decideBy(page, "update_record", { grants: true });
  const order = await ownOrder(page);
  const change = (note) => ({ model: "order", id: order.id, values: { note } });
  await runByHand(page, change("First."));
  const asked = pendingCards(page);
  await asked.getByText("Later calls ask again.").waitFor();
  await settled(page);
  assert.equal(await asked.getByLabel("In this conversation").count(), 0, "there is no conversation");
  await tabTo(page, asked.getByLabel("Only this time"));
  await page.keyboard.press("ArrowRight");
  await asked.getByText(/can be revoked in Settings/).waitFor();
  await tabTo(page, approve(asked), true);
  await page.keyboard.press("Enter");
  await page.locator('[data-call][data-status="succeeded"]').waitFor();

  await runByHand(page, change("Second."));
  await page.locator('[data-call][data-status="succeeded"]').waitFor();
  await settled(page);
  assert.equal(await page.locator("[data-approval]").count(), 0, "nobody is asked");

  await page.goto(`${app.base}/settings`);
  await page.getByText("update_record of order, run by hand, everywhere").waitFor();
  await tabTo(page, page.getByRole("button", { name: /^Revoke: update_record of order/ }));
  await page.keyboard.press("Enter");
  await page.getByText(/^None\. Where a tool allows it/).waitFor();
  await runByHand(page, change("Third."));
  await pendingCards(page).getByRole("button", { name: "Reject" }).click();
  await pendingCards(page).getByRole("button", { name: "Reject" }).click();
  await line(page).waitFor();
});

test("an approval for a conversation holds in it, and in no other", { skip }, async () => {
  const { page, app } = held;
  const answered = () => page.getByRole("button", { name: "Send" }).waitFor();
  await page.goto(`${app.base}/`);
  await say(page, ask.ship);
  await pendingCards(page).waitFor();
  const conversation = await conversationOf(page);
  await pendingCards(page).getByText("In this conversation", { exact: true }).click();
  await approve(pendingCards(page)).click();
  await page.getByText("Done with the order.").waitFor();
  await answered();
  await say(page, ask.ship);
  await page.getByText("Done with the order.").nth(1).waitFor();
  await answered();
  await settled(page);
  assert.equal(await timesRun(page, conversation), 2);
  assert.equal(await page.locator("[data-approval]").count(), 1, "the second call asks nobody");

  await page.goto(`${app.base}/`);
  await say(page, ask.ship);
  await pendingCards(page).waitFor();
  await page.goto(`${app.base}/settings`);
  await page.getByText("update_record of order, by the agent shop, in one conversation").waitFor();
  await eventually(
    () => page.getByRole("link", { name: "Open the conversation" }).getAttribute("href"),
    `/chat/${conversation}`,
  );
});

test("in a chat the asker sees whom it waits for, and that it was decided", { skip }, async () => {
  const { page, app } = held;
  await decideBy(page, "update_record", { approverRoles: ["manager"] });
  await page.goto(`${app.base}/`);
  await say(page, ask.ship);
  const asked = pendingCards(page);
  await asked.getByText("Waits for somebody with the role manager.").waitFor();
  const id = await asked.getAttribute("data-approval");
  const mona = await of("mona");
  await openApprovals(mona);
  await mona.getByText("Ada Admin asked, through shop").waitFor();
  await approve(card(mona, id)).click();
  await line(mona).waitFor();
  await page.getByText("Done with the order.").waitFor();
  await line(page)
    .getByText(/^Approved by Mona Manager/)
    .waitFor();
});

test("the terms of a tool are set in its drawer", { skip }, async () => {
  const { page, app } = held;
  await decideBy(page, "update_record", {});
  await page.goto(`${app.base}/tools/update_record?tab=approval`);
  const form = page.getByRole("form", { name: "How it is decided" });
  const eyes = form.getByRole("switch", { name: "Four eyes" });
  const save = form.getByRole("button", { name: "Save" });
  await form.waitFor();
  assert.ok(await eyes.isDisabled(), "four eyes need roles");
  assert.ok(await save.isDisabled(), "nothing is changed yet");
  await form.getByRole("textbox", { name: "Roles that decide" }).fill("manager");
  await page.keyboard.press("Enter");
  await eyes.click();
  await form.getByRole("switch", { name: "Whoever decides may edit the arguments" }).click();
  await form.getByRole("switch", { name: "The asker may decide for later calls" }).click();
  const hours = form.getByLabel("Hours to decide");
  await hours.fill("many");
  await form.getByText("A number of hours, up to 720.").waitFor();
  await hours.fill("1.5");
  await save.click();
  await page.waitForFunction(() =>
    document.getElementById("announcements")?.textContent?.includes("are saved"),
  );
  const { settings } = await tool(page, "update_record");
  assert.deepEqual(settings.approval, {
    approverRoles: ["manager"],
    fourEyes: true,
    edit: true,
    grants: true,
    lifetimeSeconds: 5400,
  });
  // A role that is left out while four eyes are wanted is the server's to refuse.
  await form.getByRole("button", { name: "Remove manager" }).click();
  await save.click();
  await page
    .getByRole("alert")
    .getByText(/fourEyes/)
    .waitFor();
  await form.getByRole("button", { name: "Discard" }).click();

  await page.goto(`${app.base}/tools/delete_record?tab=approval`);
  assert.ok(await form.getByRole("switch", { name: "The asker may decide for later calls" }).isDisabled());
  await form.getByText("Calls that cannot be undone are decided one by one.").waitFor();

  const sam = await of("sam");
  await sam.goto(`${app.base}/tools/update_record?tab=approval`);
  await sam.getByRole("heading", { name: "How it is decided" }).waitFor();
  await settled(sam);
  assert.equal(await sam.getByRole("form").count(), 0);
});

for (const name of Object.keys(looks)) {
  test(`decisions are accessible, ${name}`, { skip }, async () => {
    const { page, app } = held;
    await decideBy(page, "update_record", { edit: true, grants: true });
    const check = await wear(page, app.base, name);
    for (const path of ["update_record", "delete_record"]) {
      await page.goto(`${app.base}/tools/${path}?tab=approval`);
      await page.getByRole("form", { name: "How it is decided" }).waitFor();
      await check(`the terms of ${path}`);
    }
    const first = await askFor(page, { note: `Looked at in ${name}.` });
    await openApprovals(page);
    const asked = card(page, first.approval.id);
    await asked.getByRole("button", { name: "Edit arguments" }).click();
    await asked.getByRole("textbox", { name: "Values", exact: true }).fill('{"note": "Edited."}');
    await asked.getByText("Always for me", { exact: true }).click();
    await check("a card with an editor");
    await asked.getByRole("button", { name: "Approve as edited" }).click();
    await line(page)
      .getByText(/with edited arguments/)
      .click();
    await page.getByText("Arguments as asked").click();
    await check("a decided card");
    await page.goto(`${app.base}/settings`);
    const revoke = page.getByRole("button", { name: /^Revoke: / });
    await revoke.first().waitFor();
    await check("the decisions for later calls");
    const { items } = await api(page, "/api/grants");
    for (const grant of items) await api(page, `/api/grants/${grant.id}`, { method: "DELETE" });

    await decideBy(page, "update_record", { approverRoles: ["sales"] });
    const mine = await askFor(page, { note: "Secret." });
    await openApprovals(page);
    await card(page, mine.approval.id)
      .getByText(/^Waits for somebody/)
      .waitFor();
    await check("a card that waits for somebody else");
    const sam = await of("sam");
    const checkSam = await wear(sam, app.base, name);
    await openApprovals(sam);
    await card(sam, mine.approval.id).waitFor();
    await checkSam("a card of somebody else");
  });
}
