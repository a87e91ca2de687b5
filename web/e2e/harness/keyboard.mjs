// The keyboard as the only way through a page.
import assert from "node:assert/strict";

const FAR = 120;

/** Goes on with Tab until the focus is on it. */
export async function tabTo(page, target, back = false) {
  await target.waitFor();
  for (let step = 0; step < FAR; step += 1) {
    if (await target.evaluate((element) => document.activeElement === element)) return;
    await page.keyboard.press(back ? "Shift+Tab" : "Tab");
  }
  assert.fail("Tab does not lead there");
}
