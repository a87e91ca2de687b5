import assert from "node:assert/strict";
import test from "node:test";
import { api, assertAccessible } from "./harness/browser.mjs";
import { suite } from "./harness/suite.mjs";

const held = suite({ withModel: false });
const everyone = (page) => page.getByText("Everyone may call it.", { exact: true });
/** A change is saved once the field can be typed in again. */
const saved = (page) =>
  page
    .getByRole("textbox", { name: "Roles that may call it" })
    .and(page.locator(":not([readonly])"))
    .waitFor();
const roles = async (page) => (await api(page, "/api/tools/read_record")).roles;

test("the roles that may call a tool are set one by one, and taken back", async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/tools/read_record?tab=sharing`);
  await everyone(page).waitFor();
  const input = page.getByRole("textbox", { name: "Roles that may call it" });
  await input.fill("sales");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove sales" }).waitFor();
  await saved(page);
  await input.fill("admin");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("button", { name: "Remove admin" }).waitFor();
  await saved(page);
  assert.deepEqual(await roles(page), ["sales", "admin"]);
  await assertAccessible(page, "the roles of a tool");

  await page.reload();
  await page.getByRole("button", { name: "Remove sales" }).click();
  await page.getByRole("button", { name: "Remove sales" }).waitFor({ state: "detached" });
  await saved(page);
  await page.getByRole("button", { name: "Remove admin" }).click();
  await everyone(page).waitFor();
  await saved(page);
  assert.deepEqual(await roles(page), []);
});

test("a change on top of an older version is refused, and the tool is read again", async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/tools/read_record?tab=sharing`);
  await everyone(page).waitFor();
  await page.evaluate(async () => {
    const { version } = await (await fetch("/api/tools/read_record")).json();
    const headers = { "content-type": "application/json", "if-match": `"${version}"` };
    const body = JSON.stringify({ roles: ["admin"] });
    await fetch("/api/tools/read_record", { method: "PATCH", headers, body });
  });
  await page.getByRole("textbox", { name: "Roles that may call it" }).fill("sales");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await page.getByRole("button", { name: "Remove admin" }).waitFor();
  await saved(page);
  assert.equal(await page.getByRole("button", { name: "Remove sales" }).count(), 0);
  assert.deepEqual(await roles(page), ["admin"]);
  await page.getByRole("button", { name: "Remove admin" }).click();
  await everyone(page).waitFor();
  await saved(page);
});
