// Starts the scripted language model, tells it what to answer, and reads what it was asked.
import { startProcess } from "./process.mjs";

export async function startScriptedModel(binary) {
  const process = await startProcess(binary, [], {}, { baseUrl: /SCRIPTED_MODEL_BASE_URL=(\S+)/ });
  const { baseUrl } = process.found;
  const control = new URL(baseUrl).origin;
  return {
    baseUrl,
    async script(rules) {
      const response = await fetch(`${control}/__script`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ rules }),
      });
      if (!response.ok) throw new Error(`The scripted model refused its rules: ${await response.text()}`);
    },
    async requests() {
      return (await fetch(`${control}/__requests`)).text();
    },
    stop: () => process.kill("SIGTERM"),
  };
}
