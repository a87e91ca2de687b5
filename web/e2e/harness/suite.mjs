// One server and one signed-in browser context for the tests of a file.
import { after, before } from "node:test";
import { startApp } from "./app.mjs";
import { openContext, signIn, startBrowser } from "./browser.mjs";
import { orderId, rules } from "./shop.mjs";

export function suite({ withModel = true } = {}) {
  const held = {};
  before(async () => {
    held.app = await startApp({ withModel });
    held.browser = await startBrowser();
    held.session = await openContext(held.browser, held.app);
    held.page = await signIn(held.session, held.app);
    if (held.app.model) await held.app.model.script(rules(await orderId(held.page)));
  });
  after(async () => {
    try {
      held.session?.assertClean();
    } finally {
      await held.browser?.close();
      await held.app?.stop();
    }
  });
  return held;
}
