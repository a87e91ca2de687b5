import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { external } from "./harness/app.mjs";
import { api, assertAccessible } from "./harness/browser.mjs";
import { eventually } from "./harness/eventually.mjs";
import { tabTo } from "./harness/keyboard.mjs";
import { looks, wear } from "./harness/looks.mjs";
import { settled } from "./harness/settled.mjs";
import { say } from "./harness/shop.mjs";
import { suite } from "./harness/suite.mjs";
import { call, pageOf } from "./harness/tools.mjs";

const held = suite();
const skip = external && "needs a server and a model of its own";
const made = {};

const rows = (page) => page.getByRole("table", { name: "Audit" }).locator("tbody").getByRole("row");
const drawer = (page, title) => page.getByRole("dialog", { name: title });
const search = (page) => new URL(page.url()).searchParams;
const cells = (page, column) => rows(page).locator(`td:nth-child(${column})`).allTextContents();
/** The list has calls in these states, and in no others. While it is read there are none in it. */
const statesAre = (page, ...states) =>
  eventually(async () => [...new Set(await cells(page, 6))].sort(), states);
const outcomeIs = (page, outcome) => eventually(() => search(page).get("outcome"), outcome);

async function status(page, path, method = "GET") {
  return page.evaluate(async ([url, how]) => (await fetch(url, { method: how })).status, [path, method]);
}

/** What a link gives to save: its name and its text. */
async function saved(page, link) {
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

async function openAudit(page, query = "") {
  await page.goto(`${held.app.base}/audit${query}`);
  await page.getByRole("heading", { name: "Audit", level: 1 }).waitFor();
  await rows(page).first().or(page.getByText("No call matches")).first().waitFor();
}

/** Makes a file of the workspace. */
async function write(page, path, text) {
  await page.evaluate(
    async ([url, body]) => {
      const headers = { "content-type": "application/json", "if-none-match": "*" };
      const response = await fetch(url, { method: "PUT", headers, body });
      if (!response.ok) throw new Error(await response.text());
    },
    [`/api/workspace/documents/${path}`, JSON.stringify({ text })],
  );
}

test("the calls of everybody are listed, newest first", { skip }, async () => {
  const { page, app } = held;
  made.found = await call(page, "search_records", { model: "order", limit: 2 });
  made.failed = await call(page, "search_records", { model: "nothing_of_that" });
  made.refused = await call(page, "no_such_tool", {});
  made.exported = await call(page, "export_records", {
    model: "order",
    fields: ["number", "total"],
    limit: 3,
  });
  assert.deepEqual(
    [made.found, made.failed, made.refused, made.exported].map((each) => each.status),
    ["succeeded", "failed", "refused", "succeeded"],
  );
  const sam = await pageOf(held, "sam@shop.test");
  made.samsOther = await call(sam.page, "current_user", {});
  made.sams = await call(sam.page, "search_records", { model: "customer", limit: 1 });
  assert.deepEqual([made.samsOther.status, made.sams.status], ["succeeded", "succeeded"]);
  await sam.close();

  await page.goto(`${app.base}/`);
  await page.getByRole("link", { name: "Audit", exact: true }).click();
  const first = rows(page).first();
  await first.getByRole("cell", { name: "Sam Sales" }).waitFor();
  await first.getByText("search_records").waitFor();
  await first.getByText("Succeeded").waitFor();
  const refused = rows(page).filter({ hasText: "no_such_tool" }).first();
  await refused.getByText("Refused", { exact: true }).waitFor();
  await refused
    .getByText(/There is no tool named/)
    .last()
    .waitFor();
});

test("filters are part of the address, and can be cleared", { skip }, async () => {
  const { page } = held;
  await openAudit(page);
  const notDone = page.getByRole("button", { name: "Refused or failed" });
  await notDone.click();
  await statesAre(page, "Failed", "Refused");
  await eventually(() => notDone.getAttribute("aria-pressed"), "true");
  await outcomeIs(page, "notDone");
  await page.reload();
  await statesAre(page, "Failed", "Refused");

  await page.getByLabel("State", { exact: true }).selectOption("failed");
  await statesAre(page, "Failed");
  await outcomeIs(page, null);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await rows(page).filter({ hasText: "Succeeded" }).first().waitFor();

  await page.getByLabel("Search errors and reasons").fill("nothing_of_that");
  await statesAre(page, "Failed");
  await eventually(() => search(page).get("text"), "nothing_of_that");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await rows(page).filter({ hasText: "Succeeded" }).first().waitFor();
  await eventually(() => page.getByLabel("Search errors and reasons").inputValue(), "");

  await page.getByLabel("Person", { exact: true }).selectOption("Sam Sales (sam@shop.test)");
  await eventually(() => cells(page, 2), ["Sam Sales", "Sam Sales"]);
  await page.getByLabel("Tool", { exact: true }).selectOption("search_records");
  await eventually(() => rows(page).getByRole("link").allTextContents(), [made.sams.title]);
  await eventually(() => search(page).get("tool"), "search_records");

  await openAudit(page, "?from=2001-01-01&to=2001-01-02");
  await page.getByText("No call matches").waitFor();
  await page.getByLabel("To", { exact: true }).fill("2101-01-02");
  await rows(page).first().waitFor();
  await openAudit(page, "?via=chat");
  await page.getByText("No call matches").waitFor();
});

test("a call is opened to its whole story, and by its address", { skip }, async () => {
  const { page, app } = held;
  await openAudit(page, "?tool=no_such_tool");
  await page.getByRole("link", { name: /no_such_tool/ }).click();
  await page.waitForURL(`**/audit/${made.refused.id}?**`);
  const refused = drawer(page, /no_such_tool/);
  await refused.getByText("Ada Admin (admin@shop.test)").first().waitFor();
  await refused.getByText("A session of the web app").waitFor();
  await refused
    .getByText(/There is no tool named/)
    .first()
    .waitFor();
  await refused.getByRole("heading", { name: "What happened" }).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForURL("**/audit?tool=no_such_tool");

  await page.goto(`${app.base}/audit/${made.sams.id}`);
  const sams = drawer(page, made.sams.title);
  await sams.getByText("Sam Sales (sam@shop.test)").first().waitFor();
  await sams.getByRole("heading", { name: "Result" }).waitFor();
});

test("what is sensitive is masked, and the story says so", { skip }, async () => {
  const { page, app } = held;
  const text = "name: visitor\nfields:\n  secret: { type: string, required: true, sensitive: true }\n";
  await write(page, "models/visitor.yaml", text);
  const created = await call(page, "create_record", { model: "visitor", values: { secret: "plain as day" } });
  if (created.approval)
    await api(page, `/api/approvals/${created.approval.id}`, {
      method: "POST",
      body: { decision: "approve", argumentsHash: created.approval.argumentsHash },
    });
  await page.goto(`${app.base}/audit/${created.id}`);
  await page.getByText("Values of sensitive fields are masked", { exact: false }).waitFor();
  await page.getByText('"[restricted]"').first().waitFor();
  // The list behind the drawer names the call as well.
  await page.locator("table[aria-label=Audit] tbody tr").first().waitFor();
  await settled(page);
  assert.equal(await page.getByText("plain as day").count(), 0);
});

test("the chain is verified, and against a head noted before", { skip }, async () => {
  const { page } = held;
  await held.session.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openAudit(page);
  const chain = page.getByRole("region", { name: "Audit chain" });
  await chain.getByText(/^Sealed to entry [\d,]+/).waitFor();
  await chain.getByRole("button", { name: "Verify" }).click();
  await chain.getByText(/^The chain is whole: [\d,]+ entr(y|ies) in [\d,]+ segments? \(/).waitFor();
  await chain.getByRole("button", { name: "Close" }).click();

  await chain.getByRole("button", { name: "Head", exact: true }).click();
  await chain.getByRole("button", { name: "Copy the head" }).click();
  const head = await eventually(() => page.evaluate(() => navigator.clipboard.readText()), /^\d+:[0-9a-f]+$/);
  await chain.getByLabel("A head noted earlier").fill(head);
  await eventually(() => chain.getByLabel("A head noted earlier").inputValue(), head);
  await chain.getByLabel("A head noted earlier").press("Enter");
  await chain.getByText("It has the head that you noted.").waitFor();

  const other = head.endsWith("0") ? `${head.slice(0, -1)}1` : `${head.slice(0, -1)}0`;
  await chain.getByLabel("A head noted earlier").fill(other);
  await chain.getByRole("button", { name: "Verify" }).click();
  await chain.getByText(/^The chain has [\d,]+ problems?:$/).waitFor();
  await assertAccessible(page, "a chain with problems");
});

test("what is listed is exported, in either form", { skip }, async () => {
  const { page } = held;
  await openAudit(page, "?tool=export_records");
  const csv = await saved(page, page.getByRole("link", { name: /^CSV/ }));
  assert.match(csv.name, /\.csv$/);
  assert.ok(csv.text.trim().split("\n").length >= 2, csv.text);
  assert.ok(csv.text.includes("export_records") && !csv.text.includes("no_such_tool"), csv.text);
  const lines = await saved(page, page.getByRole("link", { name: /^JSON Lines/ }));
  assert.match(lines.name, /\.jsonl$/);
  for (const line of lines.text.trim().split("\n")) assert.equal(JSON.parse(line).tool, "export_records");
});

test("exported records are saved from their call, a test run and an answer", { skip }, async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/calls/${made.exported.id}`);
  const csv = await saved(page, page.getByRole("link", { name: "Download CSV" }));
  assert.equal(csv.name, "order.csv");
  assert.match(csv.text, /^id,number,total\r?\n/);
  const lines = await saved(page, page.getByRole("link", { name: "JSON Lines" }));
  assert.equal(lines.text.trim().split("\n").length, 3);

  await page.goto(`${app.base}/tools/export_records?tab=test`);
  await page.getByRole("button", { name: "JSON", exact: true }).click();
  await page.getByRole("textbox", { name: "Arguments" }).fill('{"model":"product","limit":2}');
  await page.getByRole("button", { name: "Run once" }).click();
  assert.equal((await saved(page, page.getByRole("link", { name: "Download CSV" }))).name, "product.csv");

  await write(
    page,
    "agents/exporter.md",
    "---\ntitle: Exporter\ntools: [export_records]\n---\nYou export records.\n",
  );
  await app.model.script([
    { when: { afterTool: "export_records" }, reply: { text: "There they are." } },
    {
      when: { lastUserContains: "invoices" },
      reply: { toolCalls: [{ name: "export_records", arguments: { model: "invoice", limit: 2 } }] },
    },
  ]);
  await page.goto(`${app.base}/?agent=exporter`);
  await say(page, "Export the invoices");
  await page.getByText("There they are.").waitFor();
  await page.getByRole("button", { name: "Send" }).waitFor();
  const line = page.locator("[data-outcome=done]");
  await line.getByRole("button").first().click();
  assert.equal((await saved(page, line.getByRole("link", { name: "Download CSV" }))).name, "invoice.csv");
});

test("by keyboard alone a call is found, and its payload erased for good", { skip }, async () => {
  const { page } = held;
  await page.goto(`${held.app.base}/tools`);
  await page.getByRole("heading", { name: "Tools" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await rows(page).first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("nothing_of_that");
  await page.waitForURL("**/audit?text=nothing_of_that");
  await statesAre(page, "Failed");
  await tabTo(page, page.getByRole("link", { name: made.failed.title }).first());
  await page.keyboard.press("Enter");
  const story = drawer(page, made.failed.title);
  await story
    .getByText(/nothing_of_that/)
    .first()
    .waitFor();
  await tabTo(page, story.getByRole("button", { name: "Erase payload…" }));
  await page.keyboard.press("Enter");
  const asks = drawer(page, "Erase the payload?");
  const reason = asks.getByLabel("Reason", { exact: true });
  await reason.waitFor();
  assert.ok(await asks.getByRole("button", { name: "Erase for good" }).isDisabled());
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
  await page.keyboard.type("The customer asked for it.");
  await assertAccessible(page, "the question before a payload is erased");
  await tabTo(page, asks.getByRole("button", { name: "Erase for good" }));
  await page.keyboard.press("Enter");

  // What it was called goes with what it held.
  const left = drawer(page, "search_records");
  await left.getByText("The payload was erased.").waitFor();
  await left.getByText("Payload erased", { exact: true }).waitFor();
  await left.getByText("The customer asked for it.").waitFor();
  await left.getByRole("button", { name: "Erase payload…" }).waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"]'));
  const { arguments: asked, error, erased } = await api(page, `/api/audit/calls/${made.failed.id}`);
  assert.deepEqual([asked, error, erased], [null, null, true]);
  await page.keyboard.press("Escape");
  await left.waitFor({ state: "detached" });

  // The erasure may not be sealed yet: the chain is whole with it all the same.
  await openAudit(page);
  const chain = page.getByRole("region", { name: "Audit chain" });
  await chain.getByRole("button", { name: "Verify" }).click();
  await chain.getByText(/^The chain is whole/).waitFor();
});

for (const [name, look] of Object.entries(looks)) {
  test(`the pages of the audit are accessible, ${name}`, { skip }, async () => {
    const { page, app } = held;
    const check = await wear(page, app.base, name);
    for (const id of [made.found.id, made.failed.id, made.refused.id]) {
      await page.goto(`${app.base}/audit/${id}`);
      await page.getByRole("heading", { name: "What happened" }).waitFor();
      await check("a story");
    }
    await openAudit(page, "?outcome=notDone");
    if (look.width < 768) await page.getByRole("button", { name: /^Filters/ }).click();
    await page.getByRole("button", { name: "Head", exact: true }).click();
    await page.getByRole("button", { name: "Verify" }).click();
    await page
      .getByRole("region", { name: "Audit chain" })
      .getByText(/^The chain is whole/)
      .waitFor();
    await check("the list");
  });
}

test("a sales person does not get the page", { skip }, async () => {
  const sam = await pageOf(held, "sam@shop.test");
  const { page } = sam;
  await settled(page);
  assert.equal(await page.getByRole("link", { name: "Audit", exact: true }).count(), 0);
  await page.goto(`${held.app.base}/audit/${made.found.id}`);
  await page.getByText("The audit is not yours to see").waitFor();
  await settled(page);
  assert.equal(await page.getByRole("dialog").count(), 0);
  await assertAccessible(page, "the audit, not yours");
  for (const path of ["calls", `calls/${made.found.id}`, "people", "chain", "export?format=csv"])
    assert.equal(await status(page, `/api/audit/${path}`), 403, path);
  await sam.close();
});
