import assert from "node:assert/strict";
import test from "node:test";
import { api } from "./harness/browser.mjs";
import { eventually } from "./harness/eventually.mjs";
import { tabTo } from "./harness/keyboard.mjs";
import { looks, wear } from "./harness/looks.mjs";
import { settled } from "./harness/settled.mjs";
import { suite } from "./harness/suite.mjs";
import { patchTool, tool } from "./harness/tools.mjs";

const held = suite({ withModel: false });
const NAME = "update_record";
const FILE = "tools/changes.yaml";
const ROW = [
  `tool: ${NAME}`,
  "icon: pencil",
  "buttonLabel: Change",
  "timeout: 4000",
  "output_schema: { type: object }",
  "audience: { roles: [manager] }",
  "approval: { approverRoles: [manager] }",
  "events: { pre: name, post: data }",
].join("\n");

const document = `/api/workspace/documents/${FILE}`;
const note = (page) =>
  page.getByRole("note").filter({ hasText: `Set by the file ${FILE} of the workspace.` });
const open = async (page, tab) => {
  await page.goto(`${held.app.base}/tools/${NAME}?tab=${tab}`);
  await page.getByRole("tabpanel").waitFor();
  await settled(page);
};
/** All of the panel that changes the tool. */
const controls = (page) =>
  page
    .getByRole("tabpanel")
    .locator('input, select, textarea:not([readonly]), [role="switch"], form button, li button');
const isUsable = async (which) => {
  for (const each of await which.all()) if (await each.isEnabled()) return true;
  return false;
};
const save = (page) => page.getByRole("tabpanel").getByRole("button", { name: "Save" });

/** The tabs on which a tool is changed, and what of the file each shows. */
const tabs = {
  definition: async (page) => {
    const form = page.getByRole("form", { name: "Settings" });
    await eventually(() => form.getByLabel("Label of its button").inputValue(), "Change");
    await eventually(() => form.getByLabel("Timeout, in seconds").inputValue(), "4");
  },
  approval: (page) => page.getByText("manager", { exact: true }).waitFor(),
  events: (page) =>
    eventually(
      () => page.getByRole("radio", { name: "With data: its result, or its error" }).isChecked(),
      true,
    ),
  sharing: (page) => page.getByText("manager", { exact: true }).waitFor(),
  versions: (page) => page.getByRole("heading", { name: "Version 1", exact: true }).waitFor(),
};

test("a change on top of what a file says since is refused, and the tool is read again", async () => {
  const { page, app } = held;
  // What was changed here before leaves a version to go back to.
  await patchTool(page, NAME, { composer: true });
  await open(page, "approval");
  await eventually(() => isUsable(controls(page)), true, "nothing says the row yet");
  await eventually(() => note(page).count(), 0);
  await page.getByRole("switch", { name: "Whoever decides may edit the arguments" }).click();
  const headers = { "if-none-match": "*" };
  const saved = await api(page, document, { method: "PUT", headers, body: { text: ROW } });
  assert.equal(saved.path, FILE, JSON.stringify(saved));
  await save(page).click();
  await page.getByRole("alert").getByText(FILE).waitFor();
  await note(page).waitFor();
  await save(page).waitFor({ state: "detached" });
  const edit = page.getByRole("switch", { name: "Whoever decides may edit the arguments" });
  await eventually(() => edit.getAttribute("aria-checked"), "false", "what was not saved is dropped");
  assert.equal((await tool(page, NAME)).file, FILE);
  await page.goto(`${app.base}/tools`);
});

test("what a file of the workspace says of a tool is there to be read, and not to be changed", async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/tools`);
  const row = page.getByRole("row", { name: new RegExp(NAME) });
  await row.getByText("File", { exact: true }).waitFor();
  await eventually(() => row.getByRole("switch").isDisabled(), true);
  for (const [tab, shows] of Object.entries(tabs)) {
    await open(page, tab);
    await note(page).waitFor();
    await shows(page);
    await eventually(() => controls(page).count().then(Boolean), true, `${tab} has controls`);
    await eventually(() => isUsable(controls(page)), false, `no control of ${tab} is usable`);
    await eventually(() => save(page).count(), 0, `${tab} is not saved`);
    const id = await note(page).getAttribute("id");
    const heard = () => page.getByRole("tabpanel").getAttribute("aria-describedby");
    await eventually(heard, id, "who comes to the panel hears of it");
  }
});

test("by keyboard alone all that a file says is reached", async () => {
  const { page } = held;
  await open(page, "definition");
  await tabTo(page, page.getByRole("tab", { name: "Definition" }));
  await tabTo(page, page.getByRole("tabpanel"));
  const schema = page.getByLabel("Output schema");
  await tabTo(page, schema);
  await page.keyboard.type("{}");
  await settled(page);
  assert.deepEqual(JSON.parse(await schema.inputValue()), { type: "object" });
  await open(page, "versions");
  await tabTo(page, page.getByRole("tab", { name: "Versions" }));
  await tabTo(page, page.getByRole("tabpanel"));
  const restore = page.getByRole("button", { name: /^Restore version/ });
  await restore.first().waitFor();
  await eventually(() => isUsable(restore), false);
});

for (const name of Object.keys(looks)) {
  test(`a tool that a file says is accessible, ${name}`, async () => {
    const { page, app } = held;
    const check = await wear(page, app.base, name);
    await page.goto(`${app.base}/tools`);
    await page.getByRole("row").getByText("File", { exact: true }).waitFor();
    await check("the list");
    for (const tab of Object.keys(tabs)) {
      await open(page, tab);
      await note(page).waitFor();
      await check(tab);
    }
  });
}

test("the tool is changed here again once its file is gone", async () => {
  const { page, app } = held;
  await page.setViewportSize({ width: 1360, height: 860 });
  const { version } = await api(page, document);
  const headers = { "if-match": `"${version}"` };
  await api(page, document, { method: "DELETE", headers });
  await eventually(async () => (await tool(page, NAME)).file, null);
  for (const tab of Object.keys(tabs)) {
    await open(page, tab);
    await eventually(() => isUsable(controls(page)), true, tab);
    await eventually(() => note(page).count(), 0, tab);
  }
  await open(page, "definition");
  await page.getByLabel("Label of its button").fill("Edit");
  await save(page).click();
  await eventually(async () => (await tool(page, NAME)).settings.buttonLabel, "Edit");
  await page.goto(`${app.base}/tools`);
  const row = page.getByRole("row", { name: new RegExp(NAME) });
  const toggle = row.getByRole("switch");
  await toggle.click();
  await eventually(async () => (await tool(page, NAME)).enabled, false);
  await eventually(() => row.getByText("File", { exact: true }).count(), 0);
  await settled(page);
});
