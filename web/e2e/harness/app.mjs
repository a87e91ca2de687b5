// The server under test: the real binary (TOOLCRIB_BIN), or one that already runs (E2E_BASE_URL).
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startProcess } from "./process.mjs";
import { startScriptedModel } from "./scripted-model.mjs";

/** True when a server is given from outside: it can then not be killed, and its model not be scripted. */
export const external = Boolean(process.env.E2E_BASE_URL);

export async function startApp({ withModel = true, rules = [] } = {}) {
  if (external) return externalApp();
  const binary = required("TOOLCRIB_BIN");
  const model = withModel ? await startScriptedModel(required("SCRIPTED_MODEL_BIN")) : null;
  await model?.script(rules);
  const dir = await mkdtemp(join(tmpdir(), "toolcrib-e2e-"));
  const env = model
    ? { TOOLCRIB_MODEL_BASE_URL: model.baseUrl, TOOLCRIB_MODEL_NAME: "scripted" }
    : { TOOLCRIB_MODEL_BASE_URL: "", TOOLCRIB_MODEL_NAME: "" };
  const serve = (listen) =>
    startProcess(binary, ["serve", "--dir", dir, "--listen", listen], env, {
      base: /Toolcrib is ready: (http:\S+)/,
    });
  let server = await startProcess(binary, ["serve", "--dir", dir, "--listen", "127.0.0.1:0"], env, {
    base: /Toolcrib is ready: (http:\S+)/,
    signIn: /Sign in once: (http:\S+)/,
  });
  const { base, signIn } = server.found;
  return {
    base: base.replace(/\/$/, ""),
    signIn,
    model,
    /** A one-time link for another user of the sample shop. */
    async signInLink(email) {
      const { stdout } = await promisify(execFile)(binary, ["user", "link", email, "--dir", dir]);
      return /Sign in once: (http:\S+)/.exec(stdout)[1];
    },
    kill: () => server.kill("SIGKILL"),
    async restart() {
      server = await serve(new URL(base).host);
    },
    async stop() {
      await server.kill("SIGTERM");
      await model?.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function externalApp() {
  const base = process.env.E2E_BASE_URL.replace(/\/$/, "");
  return {
    base,
    signIn: process.env.E2E_SIGN_IN ?? `${base}/sign-in#token=tok`,
    model: null,
    stop: async () => undefined,
  };
}

function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name} to the binary to test, or E2E_BASE_URL to a running server.`);
  return value;
}
