// How a page may look: each has to be accessible, and to fit.
import assert from "node:assert/strict";
import { assertAccessible } from "./browser.mjs";
import { settled } from "./settled.mjs";

export const looks = {
  light: { theme: "light", width: 1360, height: 860 },
  dark: { theme: "dark", width: 1360, height: 860 },
  mobile: { theme: "light", width: 390, height: 844 },
  "right to left": { theme: "light", width: 1360, height: 860, dir: "rtl" },
};

/** Makes the pages look so; gives back what checks one of them. */
export async function wear(page, base, name) {
  const look = looks[name];
  await page.setViewportSize({ width: look.width, height: look.height });
  await page.goto(`${base}/settings`);
  await page.evaluate(
    (theme) => localStorage.setItem("toolcrib.preferences", JSON.stringify({ theme })),
    look.theme,
  );
  return async (what) => {
    await settled(page);
    if (look.dir) await page.evaluate((dir) => document.documentElement.setAttribute("dir", dir), look.dir);
    await assertAccessible(page, `${what}, ${name}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= look.width, `${what} is ${width} px wide`);
  };
}
