import assert from "node:assert/strict";
import test from "node:test";
import { external } from "./harness/app.mjs";
import { assertAccessible } from "./harness/browser.mjs";
import { drawn } from "./harness/drawn.mjs";
import { eventually } from "./harness/eventually.mjs";
import { settled } from "./harness/settled.mjs";
import { say } from "./harness/shop.mjs";
import { suite } from "./harness/suite.mjs";

const held = suite();
const skip = external && "has a model of its own";
const widget = (kind) => held.page.locator(`figure[data-widget="${kind}"]`);

test("each widget is drawn in the answer, where its tool was called", { skip }, async () => {
  const { page, app } = held;
  const calls = drawn.map((input) => ({ name: "show_data", arguments: input }));
  await app.model.script([
    { when: { afterTool: "show_data" }, reply: { text: "That is all there is to see." } },
    { when: { lastUserContains: "draw" }, reply: { toolCalls: calls } },
  ]);
  await page.goto(`${app.base}/`);
  await say(page, "Draw everything");
  await page.getByText("That is all there is to see.").waitFor();
  for (const { widget: kind, title } of drawn) {
    await widget(kind).getByText(title, { exact: true }).waitFor();
  }
  await settled(page);
  await eventually(() => page.locator("figure[data-widget]").count(), drawn.length);
});

test("a table of a hundred rows says that there are more, and sorts", { skip }, async () => {
  const { page } = held;
  const table = widget("table");
  await table.getByText("First 100 rows", { exact: false }).first().waitFor();
  const first = () => table.locator("tbody tr").first().innerText();
  const before = await first();
  await table.getByRole("button", { name: /Number/ }).click();
  await page.waitForFunction(
    ([text]) => document.querySelector('figure[data-widget="table"] tbody tr')?.innerText !== text,
    [before],
  );
});

test("a chart can be read as a table, and is still there after a reload", { skip }, async () => {
  const { page } = held;
  await page.reload();
  await widget("pivot").waitFor();
  const chart = widget("chart");
  await chart.getByRole("button", { name: "Show as table" }).click();
  await chart
    .getByRole("columnheader", { name: /country/i })
    .first()
    .waitFor();
});

const looks = {
  light: { theme: "light", width: 1360 },
  dark: { theme: "dark", width: 1360 },
  mobile: { theme: "light", width: 390 },
  "right to left": { theme: "light", width: 1360, dir: "rtl" },
};
for (const [name, look] of Object.entries(looks)) {
  test(`widgets are accessible, ${name}`, { skip }, async () => {
    const { page } = held;
    await page.setViewportSize({ width: look.width, height: 860 });
    await page.evaluate(
      (theme) => localStorage.setItem("toolcrib.preferences", JSON.stringify({ theme })),
      look.theme,
    );
    await page.reload();
    await widget("pivot").waitFor();
    await settled(page);
    if (look.dir) await page.evaluate((dir) => document.documentElement.setAttribute("dir", dir), look.dir);
    await assertAccessible(page, `widgets, ${name}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= look.width, `the page is ${width} px wide`);
    if (process.env.SHOTS) {
      for (const { widget: kind } of drawn) {
        await widget(kind).screenshot({
          path: `${process.env.SHOTS}/${kind}-${name.replaceAll(" ", "-")}.png`,
        });
      }
    }
  });
}
