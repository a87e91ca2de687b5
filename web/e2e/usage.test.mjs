import assert from "node:assert/strict";
import test from "node:test";
import { external } from "./harness/app.mjs";
import { api, assertAccessible } from "./harness/browser.mjs";
import { eventually } from "./harness/eventually.mjs";
import { tabTo } from "./harness/keyboard.mjs";
import { looks, wear } from "./harness/looks.mjs";
import { settled } from "./harness/settled.mjs";
import { ask, conversationOf, say } from "./harness/shop.mjs";
import { suite } from "./harness/suite.mjs";
import { pageOf } from "./harness/tools.mjs";

const held = suite();
const skip = external && "the language model of a server elsewhere is not scripted";
const number = new Intl.NumberFormat("en");
const MARCH = "range=dates&from=2026-03-01&to=2026-03-31";

const used = async (page) => (await api(page, "/api/usage")).items;
const policies = async (page) => (await api(page, "/api/usage-policies")).items;
const newPolicy = (page, body) => api(page, "/api/usage-policies", { method: "POST", body });
const changePolicy = (page, { id, version }, body) =>
  api(page, `/api/usage-policies/${id}`, { method: "PUT", headers: { "if-match": `"${version}"` }, body });
const dropPolicies = async (page) => {
  for (const { id } of await policies(page))
    await api(page, `/api/usage-policies/${id}`, { method: "DELETE" });
};
const idOf = async (page, name) =>
  (await api(page, "/api/audit/people")).items.find((person) => person.name === name).id;

const table = (page, name) => page.getByRole("table", { name, exact: true });
const row = (page, name) =>
  table(page, "Policies")
    .getByRole("row")
    .filter({ has: page.getByRole("link", { name, exact: true }) });
const drawer = (page, name) => page.getByRole("dialog", { name, exact: true });
const search = (page) => Object.fromEntries(new URL(page.url()).searchParams);
/** A change is saved once the page has said so. */
const said = (page, text) =>
  page.waitForFunction((part) => document.getElementById("announcements")?.textContent?.includes(part), text);
const isFocused = (target) => eventually(() => target.evaluate((it) => it === document.activeElement), true);
/** The cells of a line, as they are read. */
const cells = (line) => line.getByRole("cell").allTextContents();

async function openUsage(page, path = "") {
  await page.goto(`${held.app.base}/usage${path}`);
  await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  await settled(page);
}

async function openNew(page) {
  await page.goto(`${held.app.base}/usage/policies/new`);
  await drawer(page, "Add policy").waitFor();
  await settled(page);
  return drawer(page, "Add policy");
}

async function openPolicy(page, name) {
  await openUsage(page, "/policies");
  await row(page, name).getByRole("link", { name, exact: true }).click();
  await drawer(page, name).getByRole("form", { name }).waitFor();
  return drawer(page, name);
}

/** Asks in a new conversation, and waits for the whole answer. */
async function chat(page) {
  await page.goto(`${held.app.base}/`);
  await say(page, ask.orders);
  await page.getByText("not shipped yet", { exact: true }).waitFor();
  const id = await conversationOf(page);
  await eventually(async () => (await api(page, `/api/conversations/${id}`)).state, "idle");
}

/** Asks in a new conversation, and gives back why there is no answer. */
async function refused(page) {
  await page.goto(`${held.app.base}/`);
  await say(page, ask.orders);
  const why = page.getByRole("alert");
  await why.waitFor();
  return why.textContent();
}

test("nothing is used before the first answer", { skip }, async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/`);
  await page.getByRole("link", { name: "Usage", exact: true }).click();
  await page.getByRole("heading", { name: "Nothing used" }).waitFor();
  await page.getByText("You have used 0 tokens this month. There is no limit.").waitFor();
});

test("an administrator reads what an answer took, by day, person, agent and model", { skip }, async () => {
  const { page } = held;
  await chat(page);
  const [line, ...others] = await used(page);
  assert.deepEqual([others, line.requests, line.steps], [[], 1, 2]);
  const tokens = number.format(line.inputTokens + line.outputTokens);
  const numbers = ["1", "2", number.format(line.inputTokens), number.format(line.outputTokens), tokens];
  await openUsage(page);
  await page.getByText(`You have used ${tokens} tokens this month. There is no limit.`).waitFor();
  const lines = table(page, "Used").locator("tbody").getByRole("row");
  await eventually(() => cells(lines.first()), [...numbers, "100%"]);
  await lines.first().locator(`time[datetime="${line.day}"]`).waitFor();
  await eventually(() => cells(table(page, "Used").getByRole("row", { name: /^Total/ })), [...numbers, ""]);
  for (const [label, name, by] of [
    ["Person", "Ada Admin", "user"],
    ["Agent", line.agent, "agent"],
    ["Model", line.model, "model"],
  ]) {
    await page.getByRole("group", { name: "By" }).getByText(label, { exact: true }).click();
    await table(page, "Used").getByRole("columnheader", { name: label, exact: true }).waitFor();
    await lines.getByRole("rowheader", { name }).waitFor();
    await eventually(() => cells(lines.first()), [...numbers, "100%"]);
    await eventually(() => search(page), { by });
  }
  await page.reload();
  await lines.getByRole("rowheader", { name: line.model }).waitFor();
});

test("the chart of the days is a table as well", { skip }, async () => {
  const { page } = held;
  await openUsage(page);
  const chart = page.getByRole("figure", { name: "Tokens by day" });
  await chart.getByRole("img").waitFor();
  await chart.getByText("30 rows").waitFor();
  await chart.getByRole("button", { name: "Show as table" }).click();
  await chart.getByRole("columnheader", { name: "Written" }).waitFor();
  const [{ inputTokens, outputTokens }] = await used(page);
  const last = chart.locator("tbody").getByRole("row").last();
  await eventually(async () => (await cells(last)).slice(1), [inputTokens, outputTokens].map(number.format));
});

test("the days are chosen, and the address keeps them", { skip }, async () => {
  const { page } = held;
  await openUsage(page);
  const which = page.getByRole("group", { name: "Which days" });
  await which.getByText("Last month").click();
  await page.getByRole("heading", { name: "Nothing used" }).waitFor();
  await eventually(() => search(page), { range: "lastMonth" });
  await which.getByText("This month").click();
  await table(page, "Used").waitFor();
  await which.getByText("Other days").click();
  const [from, to] = [page.getByLabel("From", { exact: true }), page.getByLabel("To", { exact: true })];
  const [{ day }] = await used(page);
  await eventually(() => to.inputValue(), day);
  await from.fill("2026-03-31");
  await to.fill("2026-03-01");
  await page.getByText("The first day is after the last.").waitFor();
  await eventually(() => to.getAttribute("aria-invalid"), "true");
  await from.fill("2026-02-01");
  await page.getByRole("heading", { name: "Nothing used" }).waitFor();
  await eventually(() => search(page), { range: "dates", from: "2026-02-01", to: "2026-03-01" });
  await page.reload();
  await eventually(() => from.inputValue(), "2026-02-01");
});

test("somebody else's answers are counted as theirs, and a person leads to their days", {
  skip,
}, async () => {
  const { page } = held;
  const sam = await pageOf(held, "sam@shop.test");
  await chat(sam.page);
  await sam.close();
  await openUsage(page, "?by=user");
  const people = table(page, "Used").locator("tbody").getByRole("row");
  await eventually(() => people.count(), 2);
  await people.getByRole("link", { name: "Sam Sales" }).click();
  await eventually(() => search(page), { userId: await idOf(page, "Sam Sales") });
  await eventually(
    async () => (await cells(table(page, "Used").locator("tbody").getByRole("row").first()))[0],
    "1",
  );
  await page.getByRole("combobox", { name: "Person" }).selectOption("Mona Manager (mona@shop.test)");
  await page.getByRole("heading", { name: "Nothing used" }).waitFor();
  await page.getByRole("combobox", { name: "Person" }).selectOption("Everybody");
  await eventually(() => search(page), {});
});

test("a policy is added, and stops what goes beyond it", { skip }, async () => {
  const { page, app } = held;
  await openUsage(page);
  await page.getByText("Policies", { exact: true }).click();
  await page.waitForURL("**/usage/policies");
  await page.getByRole("heading", { name: "No policies" }).waitFor();
  await page.getByRole("link", { name: "Add policy" }).last().click();
  const adds = drawer(page, "Add policy");
  await adds.getByRole("radio", { name: "Everybody", exact: true }).waitFor();
  const tokens = adds.getByRole("textbox", { name: "Tokens a month" });
  const add = adds.getByRole("button", { name: "Add policy" });
  await add.click();
  await adds.getByText("Say at least one of the two limits.").waitFor();
  await isFocused(tokens);
  await tokens.fill("1,5");
  await adds.getByText("A whole number of 0 or more", { exact: false }).waitFor();
  await tokens.fill("100");
  await add.click();
  await said(page, "The policy for everybody is added.");
  await adds.waitFor({ state: "detached" });
  await row(page, "Everybody").getByText("Most by one", { exact: false }).waitFor();
  await page.getByText("the most generous holds", { exact: false }).waitFor();
  const [{ subjectKind, monthlyTokens, requestsPerMinute }] = await policies(page);
  assert.deepEqual([subjectKind, monthlyTokens, requestsPerMinute], ["org", 100, null]);

  const before = (await used(page)).map(({ requests }) => requests);
  assert.match(
    await refused(page),
    /^The tokens of this month \(100\) are used up; they renew on \d{4}-\d\d-01/,
  );
  const message = page.getByRole("textbox", { name: "Message" });
  await eventually(() => message.inputValue(), ask.orders, "what was typed is not lost");
  await assertAccessible(page, "a message that is not answered");
  assert.deepEqual(
    (await used(page)).map(({ requests }) => requests),
    before,
  );
  await page.goto(`${app.base}/usage`);
  await page.getByText(/^Your tokens of this month are used up: \d+ of 100\./).waitFor();
});

test("an answer that uses up the month ends with the reason, shown once", { skip }, async () => {
  const mona = await pageOf(held, "mona@shop.test");
  const { page } = mona;
  await page.goto(`${held.app.base}/`);
  await say(page, ask.orders);
  await page.getByRole("alert").waitFor();
  const why = /^The answer ends here: the tokens of this month \(100\) are used up; they renew on/;
  await eventually(() => page.locator("p:not(.sr-only)", { hasText: why }).count(), 1);
  assert.match(await page.getByRole("alert").textContent(), why);
  await page.reload();
  await eventually(() => page.locator("p", { hasText: why }).count(), 1);
  await mona.close();
});

test("for everybody there is one policy, and it is said at its field", { skip }, async () => {
  const { page } = held;
  const adds = await openNew(page);
  await adds.getByRole("textbox", { name: "Messages a minute" }).fill("5");
  await adds.getByRole("button", { name: "Add policy" }).click();
  const why = adds.getByText("There is a policy for everybody already. Change that one.");
  await isFocused(why);
  await adds.getByRole("radio", { name: "One person" }).check();
  await adds.getByText("Choose somebody.").waitFor();
  await adds.getByRole("combobox", { name: "Person" }).selectOption("Sam Sales (sam@shop.test)");
  await adds.getByRole("textbox", { name: "Tokens a month" }).fill("50");
  await adds.getByRole("button", { name: "Add policy" }).click();
  await said(page, "The policy for Sam Sales is added.");
  await row(page, "Sam Sales").getByText("Everybody has more tokens: this limit does nothing.").waitFor();
});

test("a policy is changed, and messages are answered again", { skip }, async () => {
  const { page } = held;
  const edits = await openPolicy(page, "Everybody");
  const tokens = edits.getByRole("textbox", { name: "Tokens a month" });
  const save = edits.getByRole("button", { name: "Save" });
  await eventually(() => save.isDisabled(), true, "nothing is changed yet");
  await tokens.fill("");
  await save.click();
  await edits.getByText("Say at least one of the two limits.").waitFor();
  await isFocused(tokens);
  await tokens.fill("2 000 000");
  await save.click();
  await said(page, "The policy for everybody is saved.");
  await eventually(() => tokens.inputValue(), "2,000,000");
  await page.keyboard.press("Escape");
  await row(page, "Everybody").getByText("2,000,000").waitFor();
  await chat(page);
  await openUsage(page);
  await page.getByText(/^You have used \d+ of 2,000,000 tokens this month; they renew on/).waitFor();
});

test("messages of a minute are limited as well", { skip }, async () => {
  const { page } = held;
  const edits = await openPolicy(page, "Everybody");
  await edits.getByRole("textbox", { name: "Messages a minute" }).fill("0");
  await edits.getByRole("button", { name: "Save" }).click();
  await said(page, "The policy for everybody is saved.");
  assert.match(await refused(page), /^At most 0 messages a minute are answered; wait a moment/);
});

test("what somebody else saved in between is not overwritten", { skip }, async () => {
  const { page } = held;
  const edits = await openPolicy(page, "Everybody");
  await edits.getByRole("textbox", { name: "Tokens a month" }).fill("7");
  const org = async () => (await policies(page)).find(({ subjectKind }) => subjectKind === "org");
  const theirs = { monthlyTokens: 3_000_000, requestsPerMinute: null };
  assert.equal((await changePolicy(page, await org(), theirs)).monthlyTokens, 3_000_000);
  await edits.getByRole("button", { name: "Save" }).click();
  await edits.getByText("Somebody else has changed this policy", { exact: false }).waitFor();
  await assertAccessible(page, "a policy that was changed elsewhere");
  assert.equal((await org()).monthlyTokens, 3_000_000);
  await edits.getByRole("button", { name: "Reload" }).click();
  await eventually(() => edits.getByRole("textbox", { name: "Tokens a month" }).inputValue(), "3,000,000");
  await edits.getByText("Somebody else has changed", { exact: false }).waitFor({ state: "detached" });
});

test("by keyboard alone a policy is added, changed and deleted", { skip }, async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/tools`);
  await page.getByRole("heading", { name: "Tools" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("g");
  await tabTo(page, page.getByRole("radio", { name: "Used" }));
  await page.keyboard.press("ArrowRight");
  await row(page, "Everybody").waitFor();
  await tabTo(page, page.getByRole("link", { name: "Add policy" }));
  await page.keyboard.press("Enter");
  const adds = drawer(page, "Add policy");
  await tabTo(page, adds.getByRole("radio", { name: "Everybody", exact: true }));
  await page.keyboard.press("ArrowDown");
  await tabTo(page, adds.getByRole("textbox", { name: "Role" }));
  await page.keyboard.type("sales");
  await tabTo(page, adds.getByRole("textbox", { name: "Messages a minute" }));
  await page.keyboard.type("30");
  await page.keyboard.press("Enter");
  await said(page, "The policy for the role sales is added.");
  await adds.waitFor({ state: "detached" });

  await tabTo(page, row(page, "sales").getByRole("link", { name: "sales", exact: true }));
  await page.keyboard.press("Enter");
  const edits = drawer(page, "sales");
  await tabTo(page, edits.getByRole("textbox", { name: "Messages a minute" }));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("40");
  await tabTo(page, edits.getByRole("button", { name: "Save" }));
  await page.keyboard.press("Enter");
  await said(page, "The policy for the role sales is saved.");
  const role = async () => (await policies(page)).find(({ subject }) => subject === "sales");
  assert.equal((await role()).requestsPerMinute, 40);

  await tabTo(page, edits.getByRole("button", { name: "Delete…" }));
  await page.keyboard.press("Enter");
  const asks = drawer(page, "Delete the policy for the role sales?");
  await assertAccessible(page, "the question before a policy is deleted");
  await tabTo(page, asks.getByRole("button", { name: "Cancel" }));
  await page.keyboard.press("Enter");
  await isFocused(edits.getByRole("button", { name: "Delete…" }));
  await page.keyboard.press("Enter");
  await tabTo(page, asks.getByRole("button", { name: "Delete for good" }));
  await page.keyboard.press("Enter");
  await said(page, "The policy for the role sales is deleted.");
  await row(page, "sales").waitFor({ state: "detached" });
  await page.waitForURL("**/usage/policies");
  assert.equal(await role(), undefined);
});

test("without its policy there is no limit any more", { skip }, async () => {
  const { page } = held;
  const org = (await policies(page)).find(({ subjectKind }) => subjectKind === "org");
  await changePolicy(page, org, { monthlyTokens: 0, requestsPerMinute: null });
  assert.match(await refused(page), /are used up/);
  for (const name of ["Everybody", "Sam Sales"]) {
    const edits = await openPolicy(page, name);
    await edits.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete for good" }).click();
    await said(page, "is deleted.");
    await edits.waitFor({ state: "detached" });
  }
  await page.getByRole("heading", { name: "No policies" }).waitFor();
  await chat(page);
});

test("others see their own use and allowance, and no policies", { skip }, async () => {
  const { app } = held;
  await newPolicy(held.page, {
    subjectKind: "role",
    subject: "sales",
    monthlyTokens: 5000,
    requestsPerMinute: 9,
  });
  const sam = await pageOf(held, "sam@shop.test");
  const { page } = sam;
  await page.getByRole("link", { name: "Usage", exact: true }).click();
  await page
    .getByText(/^You have used \d+ of 5,000 tokens this month; .* 9 messages a minute at most\.$/)
    .waitFor();
  const lines = table(page, "Used").locator("tbody").getByRole("row");
  await eventually(async () => (await cells(lines.first()))[0], "1");
  await settled(page);
  for (const name of ["Person", "Policies"])
    assert.equal(await page.getByText(name, { exact: true }).count(), 0);
  assert.equal(await page.getByRole("combobox", { name: "Person" }).count(), 0);
  await openUsage(page, `?by=user&userId=${await idOf(held.page, "Ada Admin")}`);
  await lines.first().locator("time").waitFor();
  const [{ id }] = await policies(held.page);
  for (const path of ["", "/new", `/${id}`]) {
    await page.goto(`${app.base}/usage/policies${path}`);
    await page.getByText("The policies are not yours to see").waitFor();
    await settled(page);
    assert.equal(await page.getByRole("dialog").count(), 0);
  }
  await assertAccessible(page, "the policies, not yours");
  assert.equal((await api(page, "/api/usage-policies")).status, 403);
  await sam.close();
  await dropPolicies(held.page);
});

for (const name of Object.keys(looks)) {
  test(`the pages of the usage are accessible, ${name}`, { skip }, async () => {
    const { page, app } = held;
    const sam = await idOf(page, "Sam Sales");
    await newPolicy(page, { subjectKind: "org", monthlyTokens: 100, requestsPerMinute: 20 });
    await newPolicy(page, {
      subjectKind: "role",
      subject: "sales-of-a-long-name".repeat(4),
      requestsPerMinute: 9,
    });
    await newPolicy(page, { subjectKind: "user", subject: sam, monthlyTokens: 50, requestsPerMinute: 2 });
    const check = await wear(page, app.base, name);
    await openUsage(page);
    await page.getByRole("figure", { name: "Tokens by day" }).getByRole("img").waitFor();
    await check("what was used by day");
    await openUsage(page, "?by=user");
    await table(page, "Used").waitFor();
    await check("what was used by person");
    await openUsage(page, `?by=model&${MARCH}`);
    await page.getByRole("heading", { name: "Nothing used" }).waitFor();
    await check("nothing used");
    await openUsage(page, "/policies");
    await row(page, "Everybody").getByText("Most by one", { exact: false }).waitFor();
    await check("the policies");
    const adds = await openNew(page);
    await adds.getByRole("radio", { name: "One person" }).check();
    await adds.getByRole("button", { name: "Add policy" }).click();
    await page.getByText("Choose somebody.").waitFor();
    await check("a new policy");
    await openPolicy(page, "Sam Sales");
    await check("a policy");
    await dropPolicies(page);
  });
}
