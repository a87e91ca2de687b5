import assert from "node:assert/strict";
import test from "node:test";
import { assertAccessible } from "./harness/browser.mjs";
import { eventually } from "./harness/eventually.mjs";
import { settled } from "./harness/settled.mjs";
import { ask, askToShip, pendingCards, say } from "./harness/shop.mjs";
import { suite } from "./harness/suite.mjs";

const held = suite();
const paths = [
  "/",
  "/approvals",
  "/agents",
  "/tools",
  "/tools/update_record",
  "/tools/search_records?tab=test",
  "/tools/update_record?tab=approval",
  "/tools/update_record?tab=sharing",
  "/tools/update_record?tab=versions",
  "/data",
  "/data/order",
  "/data/new-model",
  "/tools/update_record?tab=runs",
  "/calls",
  "/audit",
  "/usage",
  "/usage/policies",
  "/settings",
  "/sign-in",
];
const looks = {
  light: { theme: "light", width: 1360, height: 860 },
  dark: { theme: "dark", width: 1360, height: 860 },
  mobile: { theme: "light", width: 390, height: 844 },
  "right to left": { theme: "light", width: 1360, height: 860, dir: "rtl" },
};
let conversation = "";

test("a conversation with an answer and a waiting card", async () => {
  const { page, app } = held;
  conversation = await askToShip(page, app.base);
});

for (const [name, look] of Object.entries(looks)) {
  test(`every page is accessible, ${name}`, async () => {
    const { page, app } = held;
    await page.setViewportSize({ width: look.width, height: look.height });
    await page.goto(`${app.base}/settings`);
    await page.evaluate(
      (theme) => localStorage.setItem("toolcrib.preferences", JSON.stringify({ theme })),
      look.theme,
    );
    for (const path of [...paths, `/chat/${conversation}`]) {
      await page.goto(app.base + path);
      await page.getByRole("heading").first().waitFor();
      if (path.startsWith("/chat")) await pendingCards(page).waitFor();
      await settled(page);
      if (look.dir) await page.evaluate((dir) => document.documentElement.setAttribute("dir", dir), look.dir);
      await assertAccessible(page, `${path}, ${name}`);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `${path} is ${width} px wide`);
    }
  });
}

test("everything can be reached by keyboard", async () => {
  const { page, app } = held;
  await page.setViewportSize({ width: 1360, height: 860 });
  await page.goto(`${app.base}/settings`);
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await page.getByRole("heading", { name: "Tools" }).waitFor();
  await page.keyboard.press("/");
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute("data-slash")), "focus");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /Search pages/ }).fill("approvals");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/approvals");
  await page.getByRole("heading", { name: "Approvals", level: 1 }).waitFor();
  await page.getByRole("combobox", { name: /Search pages/ }).waitFor({ state: "detached" });
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
});

test("start and end of an answer are announced", async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/`);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await page.evaluate(() => {
    globalThis.__said = [];
    new MutationObserver(() => {
      const text = document.getElementById("announcements")?.textContent;
      if (text) globalThis.__said.push(text);
    }).observe(document.getElementById("announcements"), {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  await say(page, ask.orders);
  await page.getByText("not shipped yet", { exact: true }).waitFor();
  await page.waitForFunction(() => globalThis.__said.includes("The answer is complete."));
  assert.deepEqual(await page.evaluate(() => globalThis.__said), [
    "The agent is answering.",
    "The answer is complete.",
  ]);
});
