import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import test, { after, before } from "node:test";
import { external } from "./harness/app.mjs";
import { api, assertAccessible } from "./harness/browser.mjs";
import { eventually } from "./harness/eventually.mjs";
import { tabTo } from "./harness/keyboard.mjs";
import { looks, wear } from "./harness/looks.mjs";
import { settled } from "./harness/settled.mjs";
import { suite } from "./harness/suite.mjs";
import { call, pageOf, patchTool, tool } from "./harness/tools.mjs";

const held = suite({ withModel: false });
const skip = external && "a server elsewhere does not reach the webhook of this test";
const TOOL = "search_records";
const ASKED = { model: "order", limit: 1 };
const made = {};
/** The webhook: what it got, and what it answers. */
const hook = { got: [], answer: { status: 204, body: "" } };

before(async () => {
  hook.server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { headers } = request;
    hook.got.push({ headers, body, event: JSON.parse(body), path: request.url });
    response.writeHead(hook.answer.status, { "content-type": "application/json" }).end(hook.answer.body);
  });
  await new Promise((resolve) => hook.server.listen(0, "127.0.0.1", resolve));
  hook.url = `http://127.0.0.1:${hook.server.address().port}/hook`;
});
after(() => {
  hook.server.closeAllConnections();
  hook.server.close();
});

/** What Standard Webhooks says the signature is. */
function signature({ headers, body }, secret) {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

/** The events of a call that arrived, by their types and in their order. */
const typesOf = (callId) =>
  hook.got.filter(({ event }) => event.data.callId === callId).map(({ event }) => event.type);
const eventOf = (callId, type) =>
  hook.got.find(({ event }) => event.data.callId === callId && event.type === type);

const subscribers = async (page) => (await api(page, "/api/events/subscribers")).items;
const subscriber = async (page, name) => (await subscribers(page)).find((each) => each.name === name);
const newSubscriber = async (page, body) =>
  (await api(page, "/api/events/subscribers", { method: "POST", body })).subscriber;
const drop = (page, id) => api(page, `/api/events/subscribers/${id}`, { method: "DELETE" });

const row = (page, name) =>
  page.getByRole("table", { name: "Subscribers" }).getByRole("row").filter({ hasText: name });
const deliveries = (page) =>
  page.getByRole("table", { name: "Deliveries" }).locator("tbody").getByRole("row");
const drawer = (page, name) => page.getByRole("dialog", { name });
const search = (page) => Object.fromEntries(new URL(page.url()).searchParams);
/** A change is saved once the page has said so. */
const said = (page, text) =>
  page.waitForFunction((part) => document.getElementById("announcements")?.textContent?.includes(part), text);
const isFocused = (target) => eventually(() => target.evaluate((it) => it === document.activeElement), true);

async function openEvents(page, path = "") {
  await page.goto(`${held.app.base}/events${path}`);
  await page.getByRole("heading", { name: "Events", level: 1 }).waitFor();
  await settled(page);
}

async function openSubscriber(page, name) {
  await openEvents(page);
  await row(page, name).getByRole("link", { name, exact: true }).click();
  await drawer(page, name).getByRole("form", { name }).waitFor();
  return drawer(page, name);
}

test("a subscriber is added, and its secret shown once", { skip }, async () => {
  const { page } = held;
  await held.session.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${held.app.base}/`);
  await page.getByRole("link", { name: "Events", exact: true }).click();
  await page.getByRole("heading", { name: "No subscribers" }).waitFor();
  await page.getByRole("link", { name: "Add subscriber" }).first().click();
  const adds = drawer(page, "Add subscriber");
  const name = adds.getByRole("textbox", { name: "Name" });
  await adds.getByRole("button", { name: "Add subscriber" }).click();
  await adds.getByText("It needs a name.").waitFor();
  await isFocused(name);
  await name.fill("Ledger");
  const url = adds.getByRole("textbox", { name: "URL" });
  await url.fill("ftp://127.0.0.1/");
  await adds.getByRole("button", { name: "Add subscriber" }).click();
  await isFocused(url);
  await url.fill(hook.url);
  await adds.getByRole("radio", { name: "Only chosen tools" }).check();
  await adds.getByText("Choose a tool, or all of them.").waitFor();
  await adds.getByRole("combobox", { name: "Tools" }).selectOption(TOOL);
  await adds.getByRole("button", { name: "Add", exact: true }).click();
  await adds.getByRole("button", { name: `Remove ${TOOL}` }).waitFor();
  await adds.getByRole("radio", { name: "Told" }).check();
  await adds.getByRole("button", { name: "Add subscriber" }).click();

  const shows = drawer(page, "Ledger");
  await shows.getByText("It is shown only this once.", { exact: false }).waitFor();
  await assertAccessible(page, "the secret");
  await shows.getByRole("button", { name: "Copy the secret" }).click();
  await said(page, "Copied");
  made.secret = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(made.secret, /^whsec_[A-Za-z0-9+/]+=*$/);
  await shows.getByText(made.secret, { exact: true }).waitFor();
  await shows.getByRole("button", { name: "Done" }).click();
  await shows.waitFor({ state: "detached" });
  await row(page, "Ledger").getByText(hook.url).waitFor();
  await page.reload();
  await row(page, "Ledger").getByText("Told", { exact: true }).waitFor();
  await settled(page);
  assert.equal(await page.getByText("whsec_", { exact: false }).count(), 0, "it is shown once");
  const { tools, pre, post, enabled, createdBy } = await subscriber(page, "Ledger");
  assert.deepEqual([tools, pre, post, enabled, createdBy], [[TOOL], "async", true, true, "Ada Admin"]);
});

test("without its events a tool tells nobody of a call", { skip }, async () => {
  const { page } = held;
  made.untold = await call(page, TOOL, ASKED);
  assert.equal(made.untold.status, "succeeded");
});

test("the events of a tool are switched on in its drawer, and arrive signed", { skip }, async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/tools/${TOOL}`);
  await page.getByRole("tab", { name: "Events" }).click();
  const form = page.getByRole("form", { name: "Events of its calls" });
  const before_ = form.getByRole("group", { name: "Before the call" });
  const after_ = form.getByRole("group", { name: "After the call" });
  const save = form.getByRole("button", { name: "Save" });
  await eventually(() => before_.getByRole("radio", { name: "Off" }).isChecked(), true);
  await eventually(() => save.isDisabled(), true, "nothing is changed yet");
  await before_.getByRole("radio", { name: "With data: its arguments" }).check();
  await after_.getByRole("radio", { name: "Name of the tool only" }).check();
  await save.click();
  await said(page, "The events of “Search records” are saved.");
  assert.deepEqual((await tool(page, TOOL)).settings.events, { pre: "data", post: "name" });

  const ran = await call(page, TOOL, ASKED);
  assert.equal(ran.status, "succeeded");
  await eventually(() => typesOf(ran.id), ["tool.call.pre", "tool.call.post"]);
  const told = eventOf(ran.id, "tool.call.pre");
  assert.deepEqual(told.event.data, { callId: ran.id, tool: TOOL, input: ASKED });
  const ended = eventOf(ran.id, "tool.call.post");
  assert.deepEqual(ended.event.data, { callId: ran.id, tool: TOOL, status: "succeeded" });
  for (const each of [told, ended]) {
    assert.equal(each.path, "/hook");
    assert.equal(each.headers["webhook-signature"], signature(each, made.secret));
  }
  assert.notEqual(told.headers["webhook-id"], ended.headers["webhook-id"]);
  assert.deepEqual(typesOf(made.untold.id), [], "what came before is not told of");
  made.ran = ran;
});

test("the result is sent where it is to be, and a version shows what changed", { skip }, async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/tools/${TOOL}?tab=events`);
  const after_ = page.getByRole("group", { name: "After the call" });
  await after_.getByRole("radio", { name: "With data: its result, or its error" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await said(page, "are saved");
  const ran = await call(page, TOOL, ASKED);
  await eventually(() => typesOf(ran.id), ["tool.call.pre", "tool.call.post"]);
  assert.deepEqual(eventOf(ran.id, "tool.call.post").event.data.result, ran.output);
  const failed = await call(page, TOOL, { model: "nothing_of_that" });
  assert.equal(failed.status, "failed");
  await eventually(() => typesOf(failed.id), ["tool.call.pre", "tool.call.post"]);
  assert.equal(eventOf(failed.id, "tool.call.post").event.data.status, "failed");

  await page.getByRole("tab", { name: "Versions" }).click();
  const current = page.getByRole("list", { name: "Versions" }).locator(":scope > li").first();
  const changed = current.getByRole("row", { name: /After the call/ });
  await changed.getByText("Name of the tool only").waitFor();
  await changed.getByText("With data: its result, or its error").waitFor();
});

test("deliveries are listed, filtered by their address, and lead to the story", { skip }, async () => {
  const { page } = held;
  const { id } = await subscriber(page, "Ledger");
  await openEvents(page);
  await page.getByText("Deliveries", { exact: true }).click();
  await page.waitForURL("**/events?view=deliveries");
  const first = deliveries(page).first();
  await first.getByText("After", { exact: true }).first().waitFor();
  await first.getByText("Delivered").waitFor();
  await eventually(() => deliveries(page).count(), 6);
  await page.getByLabel("State", { exact: true }).selectOption("Waiting");
  await page.getByText("No delivery matches").waitFor();
  await eventually(() => search(page), { view: "deliveries", status: "waiting" });
  await page.reload();
  await page.getByText("No delivery matches").waitFor();
  await page.getByLabel("State", { exact: true }).selectOption("Delivered");
  await page.getByLabel("Subscriber", { exact: true }).selectOption("Ledger");
  await eventually(() => search(page), { view: "deliveries", status: "delivered", subscriberId: id });
  await eventually(() => deliveries(page).count(), 6);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await eventually(() => search(page), { view: "deliveries" });
  await eventually(() => page.getByRole("button", { name: "Retry all failed" }).isDisabled(), true);
  await deliveries(page).last().getByRole("link", { name: TOOL }).click();
  await page.waitForURL(`**/audit/${made.ran.id}`);
  await drawer(page, made.ran.title).getByRole("heading", { name: "What happened" }).waitFor();
});

test("a test is sent, and says whether it arrived", { skip }, async () => {
  const { page } = held;
  const edits = await openSubscriber(page, "Ledger");
  await edits.getByRole("button", { name: "Send a test" }).click();
  await edits.getByRole("status").getByText("The test arrived: 204.").waitFor();
  const { event } = hook.got.at(-1);
  assert.equal(event.type, "test");
  hook.answer = { status: 500, body: "" };
  await edits.getByRole("button", { name: "Send a test" }).click();
  await edits
    .getByRole("status")
    .getByText(/^The test did not arrive: it answered 500/)
    .waitFor();
  await edits.getByRole("textbox", { name: "Name" }).fill("Ledger 2");
  await edits.getByText("A test goes to what is saved", { exact: false }).waitFor();
  await eventually(() => edits.getByRole("button", { name: "Send a test" }).isDisabled(), true);
  await edits.getByRole("button", { name: "Discard" }).click();
  await eventually(() => edits.getByRole("button", { name: "Send a test" }).isDisabled(), false);
});

test("what a subscriber fails to take shows its error, and is sent again", { skip }, async () => {
  const { page } = held;
  hook.answer = { status: 500, body: "" };
  const ran = await call(page, TOOL, ASKED);
  assert.equal(ran.status, "succeeded", "who is told holds up no call");
  await eventually(async () => (await subscriber(page, "Ledger")).lastError, /it answered 500/);
  await openEvents(page);
  const ledger = row(page, "Ledger");
  await ledger.getByText(/it answered 500/).waitFor();
  // The one after a call waits for the one before it.
  await ledger.getByRole("link", { name: /^2 wait for Ledger$/ }).click();
  await page.waitForURL("**/events?view=deliveries&status=waiting&subscriberId=*");
  const told = deliveries(page).filter({ hasText: "500" });
  await told.first().waitFor();
  await told.first().getByRole("cell", { name: "Before", exact: true }).waitFor();
  await eventually(async () => Number(await told.first().getByRole("cell").nth(5).textContent()) > 0, true);
  await told.first().getByText("Waiting", { exact: true }).waitFor();
  hook.answer = { status: 204, body: "" };
  // After five seconds it is tried again, and had that gone wrong, half a minute later.
  await page.getByText("No delivery matches").waitFor({ timeout: 90_000 });
  const types = typesOf(ran.id);
  assert.ok(types.length > 2, "it was tried more than once");
  assert.deepEqual(types.slice(-2), ["tool.call.pre", "tool.call.post"], "and in its order");
  const [first, again] = hook.got.filter(({ event }) => event.data.callId === ran.id);
  assert.equal(again.headers["webhook-id"], first.headers["webhook-id"], "under the same id");
  await openEvents(page);
  await ledger.getByText("Told", { exact: true }).waitFor();
  await ledger.getByText(/it answered 500/).waitFor({ state: "detached" });
});

test("what failed for good is tried again or forgotten, one by one or all", async () => {
  const { page } = held;
  const at = { createdAt: "2026-11-30T10:00:00Z", nextAt: null, deliveredAt: null };
  const dead = (id, event) => ({
    ...at,
    id,
    event,
    subscriberId: "s",
    subscriber: "Gone",
    callId: "c",
    tool: TOOL,
    status: "dead",
    attempts: 10,
    error: "it answered 500 Internal Server Error",
  });
  const one = { ...(await fakeSubscriber(page)), id: "s", name: "Gone", dead: 3 };
  let items = [dead("a", "post"), dead("b", "pre"), dead("c", "pre")];
  const asked = [];
  await page.route("**/api/events/subscribers", (route) => route.fulfill({ json: { items: [one] } }));
  await page.route("**/api/events/deliveries?*", (route) =>
    route.fulfill({ json: { items, nextCursor: null } }),
  );
  await page.route(/\/api\/events\/deliveries\/.+/, (route) => {
    const request = route.request();
    const path = new URL(request.url()).pathname.split("/").slice(4).join("/");
    asked.push([request.method(), path, request.postDataJSON()]);
    if (path === "retry") {
      one.dead = 0;
      items = [];
      return route.fulfill({ json: { retried: 1 } });
    }
    const [id] = path.split("/");
    const found = items.find((each) => each.id === id);
    items = items.filter((each) => each !== found);
    return request.method() === "DELETE"
      ? route.fulfill({ status: 204 })
      : route.fulfill({ json: { ...found, status: "waiting", attempts: 0 } });
  });
  await openEvents(page, "?view=deliveries&status=dead");
  await eventually(() => deliveries(page).count(), 3);
  await assertAccessible(page, "deliveries that failed");
  await page
    .getByRole("button", { name: `Retry ${TOOL} for Gone` })
    .first()
    .click();
  await said(page, "1 delivery is tried again.");
  await eventually(() => deliveries(page).count(), 2);
  await page
    .getByRole("button", { name: `Forget ${TOOL} for Gone` })
    .first()
    .click();
  await said(page, "The delivery is forgotten.");
  await eventually(() => deliveries(page).count(), 1);
  await page.getByLabel("Subscriber", { exact: true }).selectOption("Gone");
  await page.getByRole("button", { name: "Retry all failed" }).click();
  await page.getByText("No delivery matches").waitFor();
  await eventually(() => page.getByRole("button", { name: "Retry all failed" }).isDisabled(), true);
  assert.deepEqual(asked, [
    ["POST", "a/retry", null],
    ["DELETE", "b", null],
    ["POST", "retry", { subscriberId: "s" }],
  ]);
  await page.unrouteAll({ behavior: "wait" });
});

/** A subscriber as the server describes them. */
async function fakeSubscriber(page) {
  const described = await newSubscriber(page, { name: "Shape", url: "http://127.0.0.1:9/", post: true });
  await drop(page, described.id);
  return described;
}

test("failed deliveries are there for the server to retry, or none", { skip }, async () => {
  const { page } = held;
  const { id } = await subscriber(page, "Ledger");
  const body = { subscriberId: id };
  assert.deepEqual(await api(page, "/api/events/deliveries/retry", { method: "POST", body }), { retried: 0 });
  assert.equal((await api(page, "/api/events/deliveries/nothing/retry", { method: "POST" })).status, 404);
});

test("a subscriber that is asked refuses a call, or lets it run", { skip }, async () => {
  const { page } = held;
  const edits = await openSubscriber(page, "Ledger");
  await edits.getByRole("radio", { name: "Asked" }).check();
  await edits.getByRole("button", { name: "Save" }).click();
  await said(page, "“Ledger” is saved.");
  await eventually(() => edits.getByRole("button", { name: "Save" }).isDisabled(), true);
  assert.equal((await subscriber(page, "Ledger")).pre, "sync");

  hook.answer = { status: 200, body: JSON.stringify({ decision: "deny", reason: "The books are closed." }) };
  const refused = await call(page, TOOL, ASKED);
  assert.equal(refused.status, "refused");
  assert.match(refused.error, /Ledger.*The books are closed\./);
  hook.answer = { status: 500, body: "" };
  assert.equal((await call(page, TOOL, ASKED)).status, "refused", "who can't be asked does not agree");
  hook.answer = { status: 204, body: "" };
  const ran = await call(page, TOOL, ASKED);
  assert.equal(ran.status, "succeeded");
  await eventually(() => typesOf(ran.id), ["tool.call.pre", "tool.call.post"]);
  const told = eventOf(ran.id, "tool.call.pre");
  assert.equal(told.headers["webhook-signature"], signature(told, made.secret));
  assert.deepEqual(typesOf(refused.id), ["tool.call.pre"], "what was refused has no end to tell of");

  await openEvents(page);
  await row(page, "Ledger").getByText("Asked", { exact: true }).waitFor();
});

test("a subscriber that is switched off is neither told nor asked", { skip }, async () => {
  const { page } = held;
  await openEvents(page);
  const on = page.getByRole("switch", { name: "Ledger on" });
  await on.click();
  await said(page, "“Ledger” is saved.");
  await eventually(() => on.getAttribute("aria-checked"), "false");
  assert.equal((await subscriber(page, "Ledger")).enabled, false);
  hook.answer = { status: 200, body: JSON.stringify({ decision: "deny" }) };
  const ran = await call(page, TOOL, ASKED);
  assert.equal(ran.status, "succeeded");
  hook.answer = { status: 204, body: "" };
  await on.click();
  await eventually(async () => (await subscriber(page, "Ledger")).enabled, true);
  const next = await call(page, TOOL, ASKED);
  await eventually(() => typesOf(next.id), ["tool.call.pre", "tool.call.post"]);
  assert.deepEqual(typesOf(ran.id), []);
});

test("a new secret is made, and the one before signs nothing any more", { skip }, async () => {
  const { page } = held;
  const edits = await openSubscriber(page, "Ledger");
  // What is typed meanwhile is kept, and saved over the version that the new secret made.
  await edits.getByRole("textbox", { name: "Time to answer, in seconds" }).fill("5");
  await edits.getByRole("button", { name: "New secret…" }).click();
  const asks = drawer(page, "Make a new secret?");
  await assertAccessible(page, "the question before a new secret");
  await asks.getByRole("button", { name: "Cancel" }).click();
  await asks.waitFor({ state: "detached" });
  await isFocused(edits.getByRole("button", { name: "New secret…" }));
  await edits.getByRole("button", { name: "New secret…" }).click();
  await asks.getByRole("button", { name: "Make a new secret" }).click();
  const code = page.locator("code", { hasText: "whsec_" });
  await code.waitFor();
  const secret = await code.textContent();
  assert.notEqual(secret, made.secret);
  await page.getByRole("button", { name: "Done" }).click();
  await code.waitFor({ state: "detached" });
  await settled(page);
  await edits.getByRole("button", { name: "Save" }).click();
  await said(page, "“Ledger” is saved.");
  assert.equal((await subscriber(page, "Ledger")).timeoutMs, 5000);

  const ran = await call(page, TOOL, ASKED);
  await eventually(() => typesOf(ran.id), ["tool.call.pre", "tool.call.post"]);
  const ended = eventOf(ran.id, "tool.call.post");
  assert.equal(ended.headers["webhook-signature"], signature(ended, secret));
  assert.notEqual(ended.headers["webhook-signature"], signature(ended, made.secret));
});

test("what somebody else saved in between is not overwritten", { skip }, async () => {
  const { page } = held;
  const edits = await openSubscriber(page, "Ledger");
  const { id, version } = await subscriber(page, "Ledger");
  await edits.getByRole("textbox", { name: "Name" }).fill("Mine");
  const theirs = await api(page, `/api/events/subscribers/${id}`, {
    method: "PATCH",
    headers: { "if-match": `"${version}"` },
    body: { timeoutMs: 7000 },
  });
  assert.equal(theirs.timeoutMs, 7000, JSON.stringify(theirs));
  await edits.getByRole("button", { name: "Save" }).click();
  await edits.getByText("Somebody else has changed this subscriber", { exact: false }).waitFor();
  assert.equal((await subscriber(page, "Ledger")).timeoutMs, 7000);
  await edits.getByRole("button", { name: "Reload" }).click();
  const seconds = edits.getByRole("textbox", { name: "Time to answer, in seconds" });
  await eventually(() => seconds.inputValue(), "7");
  await eventually(() => edits.getByRole("textbox", { name: "Name" }).inputValue(), "Ledger");
  await edits.getByText("Somebody else has changed", { exact: false }).waitFor({ state: "detached" });
});

test("by keyboard alone a subscriber is added and deleted", { skip }, async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/tools`);
  await page.getByRole("heading", { name: "Tools" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await row(page, "Ledger").waitFor();
  await tabTo(page, page.getByRole("link", { name: "Add subscriber" }));
  await page.keyboard.press("Enter");
  const adds = drawer(page, "Add subscriber");
  await tabTo(page, adds.getByRole("textbox", { name: "Name" }));
  await page.keyboard.type("By keyboard");
  await page.keyboard.press("Tab");
  await page.keyboard.type(`${hook.url}/keys`);
  await tabTo(page, adds.getByRole("radio", { name: "All tools" }));
  await page.keyboard.press("ArrowDown");
  await tabTo(page, adds.getByRole("combobox", { name: "Tools" }));
  await page.keyboard.type("List data");
  await eventually(() => adds.getByRole("combobox", { name: "Tools" }).inputValue(), "list_models");
  await tabTo(page, adds.getByRole("button", { name: "Add", exact: true }));
  await page.keyboard.press("Enter");
  await adds.getByRole("button", { name: "Remove list_models" }).waitFor();
  await tabTo(page, adds.getByRole("radio", { name: "Off" }));
  await page.keyboard.press("ArrowDown");
  await tabTo(page, adds.getByRole("switch", { name: "Told after the call" }));
  await page.keyboard.press("Space");
  await tabTo(page, adds.getByRole("button", { name: "Add subscriber" }));
  await page.keyboard.press("Enter");
  const shows = drawer(page, "By keyboard");
  await tabTo(page, shows.getByRole("button", { name: "Done" }));
  await page.keyboard.press("Enter");
  await shows.waitFor({ state: "detached" });
  const { url, tools, pre, post } = await subscriber(page, "By keyboard");
  assert.deepEqual([url, tools, pre, post], [`${hook.url}/keys`, ["list_models"], "async", false]);

  await tabTo(page, page.getByRole("link", { name: "By keyboard", exact: true }));
  await page.keyboard.press("Enter");
  await tabTo(page, shows.getByRole("button", { name: "Delete…" }));
  await page.keyboard.press("Enter");
  const asks = drawer(page, "Delete “By keyboard”?");
  await assertAccessible(page, "the question before a subscriber is deleted");
  await tabTo(page, asks.getByRole("button", { name: "Cancel" }));
  await page.keyboard.press("Enter");
  await isFocused(shows.getByRole("button", { name: "Delete…" }));
  await page.keyboard.press("Enter");
  await tabTo(page, asks.getByRole("button", { name: "Delete for good" }));
  await page.keyboard.press("Enter");
  await said(page, "“By keyboard” is deleted.");
  await row(page, "By keyboard").waitFor({ state: "detached" });
  await page.waitForURL("**/events");
  assert.equal(await subscriber(page, "By keyboard"), undefined);
});

test("a subscriber that is deleted hears nothing more", { skip }, async () => {
  const { page } = held;
  const edits = await openSubscriber(page, "Ledger");
  await edits.getByRole("button", { name: "Delete…" }).click();
  await drawer(page, "Delete “Ledger”?").getByRole("button", { name: "Delete for good" }).click();
  await page.getByRole("heading", { name: "No subscribers" }).waitFor();
  const count = hook.got.length;
  const ran = await call(page, TOOL, ASKED);
  assert.equal(ran.status, "succeeded");
  await page.reload();
  await page.getByRole("heading", { name: "No subscribers" }).waitFor();
  await openEvents(page, "?view=deliveries");
  await page.getByText("No deliveries").waitFor();
  assert.equal(hook.got.length, count);
});

test("a callback of the embedding program is shown, and not changed here", async () => {
  const { page } = held;
  const shape = await fakeSubscriber(page);
  const callback = { ...shape, id: "callback:metrics", kind: "callback", name: "metrics", url: null };
  const items = [{ ...callback, timeoutMs: null, version: 0, createdAt: null, createdBy: null }];
  await page.route("**/api/events/subscribers", (route) => route.fulfill({ json: { items } }));
  await openEvents(page);
  await row(page, "metrics").getByText("Callback").waitFor();
  assert.equal(await row(page, "metrics").getByRole("switch").count(), 0);
  await page.getByRole("link", { name: "metrics", exact: true }).click();
  await drawer(page, "metrics").getByText("is changed there", { exact: false }).waitFor();
  await assertAccessible(page, "a callback");
  for (const role of ["form", "textbox", "switch"])
    assert.equal(await drawer(page, "metrics").getByRole(role).count(), 0);
  await page.unrouteAll({ behavior: "wait" });
});

test("a sales person has neither the page nor the tab", { skip }, async () => {
  const { app } = held;
  const { id } = await newSubscriber(held.page, { name: "Ledger", url: hook.url, post: true });
  const sam = await pageOf(held, "sam@shop.test");
  const { page } = sam;
  await settled(page);
  assert.equal(await page.getByRole("link", { name: "Events", exact: true }).count(), 0);
  for (const path of ["", "?view=deliveries", "/new", `/${id}`]) {
    await page.goto(`${app.base}/events${path}`);
    await page.getByText("The events are not yours to see").waitFor();
    await settled(page);
    assert.equal(await page.getByRole("dialog").count(), 0);
  }
  await assertAccessible(page, "the events, not yours");
  for (const path of ["subscribers", "deliveries"])
    assert.equal((await api(page, `/api/events/${path}`)).status, 403, path);
  await page.goto(`${app.base}/tools/${TOOL}?tab=events`);
  await page.getByRole("tab", { name: "Definition", selected: true }).waitFor();
  assert.equal(await page.getByRole("tab", { name: "Events" }).count(), 0);
  await sam.close();
  await drop(held.page, id);
});

for (const name of Object.keys(looks)) {
  test(`the pages of the events are accessible, ${name}`, { skip }, async () => {
    const { page, app } = held;
    const { settings } = await tool(page, TOOL);
    await patchTool(page, TOOL, { settings: { ...settings, events: { pre: "data", post: "data" } } });
    const long = `${hook.url}/${"a-long-way/".repeat(20)}`;
    const mine = await newSubscriber(page, {
      name: "Ledger",
      url: long,
      tools: [TOOL, "list_models", "read_record", "update_record"],
      pre: "async",
      post: true,
    });
    hook.answer = { status: 500, body: "" };
    await call(page, TOOL, ASKED);
    await eventually(async () => (await subscriber(page, "Ledger")).lastError, /500/);
    const check = await wear(page, app.base, name);
    await openEvents(page);
    await row(page, "Ledger")
      .getByText(/it answered 500/)
      .waitFor();
    await check("the subscribers");
    await openEvents(page, "?view=deliveries");
    await deliveries(page).first().waitFor();
    await check("the deliveries");
    await page.goto(`${app.base}/events/new`);
    await page.getByRole("radio", { name: "Only chosen tools" }).check();
    await page.getByRole("button", { name: "Add subscriber" }).click();
    await page.getByText("It needs a name.").waitFor();
    await check("a new subscriber");
    const edits = await openSubscriber(page, "Ledger");
    await edits.getByRole("button", { name: "Send a test" }).click();
    await edits
      .getByRole("status")
      .getByText(/^The test did not arrive/)
      .waitFor();
    await check("a subscriber");
    await page.goto(`${app.base}/tools/${TOOL}?tab=events`);
    await page.getByRole("form", { name: "Events of its calls" }).waitFor();
    await check("the events of a tool");
    hook.answer = { status: 204, body: "" };
    await drop(page, mine.id);
  });
}
