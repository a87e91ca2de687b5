import assert from "node:assert/strict";
import test from "node:test";
import { api, assertAccessible } from "./harness/browser.mjs";
import { eventually } from "./harness/eventually.mjs";
import { tabTo } from "./harness/keyboard.mjs";
import { looks, wear } from "./harness/looks.mjs";
import { settled } from "./harness/settled.mjs";
import { suite } from "./harness/suite.mjs";
import { call, pageOf, patchTool, tool } from "./harness/tools.mjs";

const held = suite({ withModel: false });
const NAME = "read_record";

const open = async (page, tab, name = NAME) => {
  await page.goto(`${held.app.base}/tools/${name}?tab=${tab}`);
  await page.getByRole("tabpanel").waitFor();
};
const items = (page) => page.getByRole("list", { name: "Versions" }).locator(":scope > li");
const version = (page, n) =>
  items(page).filter({ has: page.getByRole("heading", { name: `Version ${n}`, exact: true }) });
/** A change is saved once the page has said so. */
const said = (page, text) =>
  page.waitForFunction((part) => document.getElementById("announcements")?.textContent?.includes(part), text);

test("a tool gets its button, icon, timeout and output schema", async () => {
  const { page, app } = held;
  await open(page, "definition");
  const form = page.getByRole("form", { name: "Settings" });
  const save = form.getByRole("button", { name: "Save" });
  assert.ok(await save.isDisabled(), "nothing is changed yet");
  await form.getByRole("switch", { name: "A button in the composer" }).click();
  await form.getByLabel("Label of its button").fill("Look up");
  await form.getByLabel("Icon", { exact: true }).selectOption("truck");
  const timeout = form.getByLabel("Timeout, in seconds");
  await timeout.fill("900");
  await form.getByText("A number of seconds, up to 600.").waitFor();
  await timeout.fill("2.5");
  const schema = form.getByLabel("Output schema");
  await schema.fill('{"type": ');
  await save.click();
  const hasFocus = () => schema.evaluate((field) => document.activeElement === field);
  await eventually(hasFocus, true, "broken JSON is not sent");
  await schema.fill('{"type": "nothing of that"}');
  await save.click();
  await page
    .getByRole("alert")
    .getByText(/outputSchema is no JSON Schema/)
    .waitFor();
  await schema.fill('{"type": "object"}');
  await save.click();
  await said(page, "are saved");
  const saved = await tool(page, NAME);
  assert.equal(saved.composer, true);
  assert.deepEqual(saved.settings, {
    icon: "truck",
    buttonLabel: "Look up",
    timeoutMs: 2500,
    outputSchema: { type: "object" },
  });
  await page.goto(`${app.base}/tools`);
  await page
    .getByRole("row", { name: new RegExp(NAME) })
    .locator("svg.lucide-truck")
    .waitFor();
});

test("an icon that is not known here falls back to that of the kind", async () => {
  const { page, app } = held;
  const { settings } = await tool(page, "list_models");
  await patchTool(page, "list_models", { settings: { ...settings, icon: "no-such-icon" } });
  await page.goto(`${app.base}/tools`);
  await page
    .getByRole("row", { name: /list_models/ })
    .locator("svg.lucide-database")
    .waitFor();
  await open(page, "definition", "list_models");
  await page.getByRole("option", { name: "no-such-icon (not known here)" }).waitFor({ state: "attached" });
});

test("a tool is shared with everyone, with its agents, or with chosen users and roles", async () => {
  const { page } = held;
  const audience = async () => (await tool(page, NAME)).audience;
  // A change is saved once the field can be typed in again.
  const saved = () =>
    page
      .getByRole("textbox", { name: "Roles it is shared with" })
      .and(page.locator(":not([readonly])"))
      .waitFor();
  // The choice of the page follows the click, when the change is on its way.
  const choose = async (name) => {
    const radio = page.getByRole("radio", { name });
    await radio.click();
    await eventually(() => radio.isChecked(), true);
  };
  await open(page, "sharing");
  await eventually(() => page.getByRole("radio", { name: "Everyone" }).isChecked(), true);
  await choose(/^Those who may edit tools/);
  await said(page, "The sharing of");
  assert.equal(await audience(), null);

  await choose("Chosen users and roles");
  await page.getByText("Nobody is chosen yet", { exact: false }).waitFor();
  await settled(page);
  assert.equal(await audience(), null, "nothing is saved before somebody is chosen");
  await page
    .getByLabel("Users it is shared with")
    .last()
    .selectOption({ label: "Sam Sales (sam@shop.test)" });
  await page.getByRole("button", { name: "Add", exact: true }).first().click();
  await page.getByRole("button", { name: "Remove Sam Sales" }).waitFor();
  await saved();
  await page.getByRole("textbox", { name: "Roles it is shared with" }).fill("manager");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove manager" }).waitFor();
  await saved();
  const { items: people } = await api(page, "/api/audit/people");
  const sam = people.find((person) => person.email === "sam@shop.test").id;
  assert.deepEqual(await audience(), { everyone: false, users: [sam], roles: ["manager"] });

  for (const [email, finds] of [
    ["sam@shop.test", true],
    ["sue@shop.test", false],
  ]) {
    const other = await pageOf(held, email);
    const found = await api(other.page, `/api/tools/${NAME}`);
    assert.equal(found.name === NAME, finds, email);
    await other.close();
  }
  await page.reload();
  await page.getByRole("button", { name: "Remove Sam Sales" }).click();
  await page.getByRole("button", { name: "Remove Sam Sales" }).waitFor({ state: "detached" });
  await saved();
  await choose("Everyone");
  await said(page, "The sharing of");
  await eventually(async () => (await audience()).everyone, true);
  await settled(page);
});

test("versions show who changed what, newest first, and one is restored", async () => {
  const { page } = held;
  const description = { type: "object", description: "A long text. ".repeat(30) };
  const { settings } = await tool(page, NAME);
  await patchTool(page, NAME, { settings: { ...settings, outputSchema: description } });
  const before = await patchTool(page, NAME, { enabled: false });
  await open(page, "versions");
  const current = version(page, before.version);
  await current.getByText("Current", { exact: true }).waitFor();
  await current.getByText("Ada Admin").waitFor();
  await current.getByRole("row", { name: /Switched on/ }).waitFor();
  assert.match(await current.getByRole("row", { name: /Switched on/ }).textContent(), /yes.*no/);
  await settled(page);
  assert.equal(await current.getByRole("button").count(), 0, "the current version is not restored");
  assert.match(await items(page).first().textContent(), new RegExp(`Version ${before.version}`));
  await version(page, 1).getByText("The first version.").waitFor();
  await version(page, 1).getByText("A release, or a file").waitFor();

  const long = version(page, before.version - 1);
  const folded = long.locator("details").last();
  assert.equal(await folded.getAttribute("open"), null, "long values are folded");
  await folded.locator("summary").click();
  await folded.getByText("A long text. A long text.", { exact: false }).last().waitFor();

  await long.getByRole("button", { name: /^Restore version/ }).click();
  const asks = page.getByRole("dialog", { name: `Restore version ${before.version - 1}?` });
  await asks.waitFor();
  await assertAccessible(page, "the question before a version is restored");
  await asks.getByRole("button", { name: "Cancel" }).click();
  await asks.waitFor({ state: "detached" });
  await settled(page);
  assert.equal((await tool(page, NAME)).version, before.version, "nothing is restored unasked");
  await long.getByRole("button", { name: /^Restore version/ }).click();
  await asks.getByRole("button", { name: "Restore" }).click();
  await version(page, before.version + 1)
    .getByText("Current", { exact: true })
    .waitFor();
  const restored = await tool(page, NAME);
  assert.equal(restored.enabled, true);
  assert.deepEqual(restored.settings.outputSchema, description);
  assert.equal((await call(page, NAME, { model: "order", id: "1" })).status, "succeeded");
});

test("a version is not restored over what somebody else changed", async () => {
  const { page } = held;
  await open(page, "versions");
  await version(page, 1).getByRole("button", { name: "Restore version 1" }).click();
  const { version: theirs } = await patchTool(page, NAME, { roles: ["admin"] });
  await page
    .getByRole("dialog", { name: "Restore version 1?" })
    .getByRole("button", { name: "Restore" })
    .click();
  await page.getByRole("alert").waitFor();
  await version(page, theirs).getByText("Current", { exact: true }).waitFor();
  assert.deepEqual((await tool(page, NAME)).roles, ["admin"]);
  await patchTool(page, NAME, { roles: [] });
});

test("by keyboard alone a version is restored", async () => {
  const { page } = held;
  await open(page, "definition");
  const { version: before } = await tool(page, NAME);
  await tabTo(page, page.getByRole("tab", { name: "Definition" }));
  // One step at a time: the tab is chosen after the key, and a second key would go past it.
  const names = await page.getByRole("tab").allTextContents();
  for (const name of names.slice(1, names.indexOf("Versions") + 1)) {
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name, exact: true, selected: true }).waitFor();
  }
  await tabTo(page, page.getByRole("button", { name: "Restore version 2" }));
  await page.keyboard.press("Enter");
  const asks = page.getByRole("dialog", { name: "Restore version 2?" });
  await tabTo(page, asks.getByRole("button", { name: "Restore" }));
  await page.keyboard.press("Enter");
  await version(page, before + 1)
    .getByText("Current", { exact: true })
    .waitFor();
  await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"]'));
});

test("a sales person sees neither versions nor sharing nor settings", async () => {
  const { app } = held;
  const sales = await pageOf(held, "sam@shop.test");
  const { page } = sales;
  await page.goto(`${app.base}/tools/search_records?tab=versions`);
  await page.getByRole("tab", { name: "Definition", selected: true }).waitFor();
  await settled(page);
  for (const tab of ["Versions", "Sharing"])
    assert.equal(await page.getByRole("tab", { name: tab }).count(), 0);
  assert.equal(await page.getByRole("form", { name: "Settings" }).count(), 0);
  assert.equal((await api(page, "/api/tools/search_records/versions")).status, 403);
  await sales.close();
});

for (const name of Object.keys(looks)) {
  test(`the tabs of a tool are accessible, ${name}`, async () => {
    const { page, app } = held;
    const check = await wear(page, app.base, name);
    await open(page, "definition");
    await page.getByRole("form", { name: "Settings" }).getByLabel("Timeout, in seconds").fill("none");
    await check("the settings");
    await open(page, "sharing");
    await page.getByRole("radio", { name: "Chosen users and roles" }).waitFor();
    await patchTool(page, NAME, { audience: { everyone: false, users: [], roles: ["sales"] } });
    await page.reload();
    await page.getByRole("button", { name: "Remove sales" }).waitFor();
    await check("the sharing");
    await open(page, "versions");
    await items(page).first().waitFor();
    await page.locator("details summary").first().click();
    await check("the versions");
  });
}
