// Tools as their editors and callers reach them through the API.
import { api, openContext, signIn } from "./browser.mjs";

const usual = { approverRoles: [], fourEyes: false, edit: false, grants: false, lifetimeSeconds: null };

export const tool = (page, name) => api(page, `/api/tools/${name}`);

export async function patchTool(page, name, patch) {
  const { version } = await tool(page, name);
  const headers = { "if-match": `"${version}"` };
  const saved = await api(page, `/api/tools/${name}`, { method: "PATCH", headers, body: patch });
  if (saved.name !== name) throw new Error(JSON.stringify(saved));
  return saved;
}

/** Says how calls of a tool are decided; what is not said is as usual. */
export async function decideBy(page, name, terms) {
  const { settings } = await tool(page, name);
  await patchTool(page, name, { settings: { ...settings, approval: { ...usual, ...terms } } });
}

export async function call(page, name, args) {
  const body = { arguments: args };
  return (await api(page, `/api/tools/${name}/call`, { method: "POST", body })).call;
}

/** A page of another user of the sample shop, in a browser context of its own. */
export async function pageOf({ browser, app }, email) {
  const session = await openContext(browser, app);
  const page = await signIn(session, { signIn: await app.signInLink(email) });
  return {
    page,
    async close() {
      session.assertClean();
      await session.context.close();
    },
  };
}
