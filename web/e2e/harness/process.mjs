// A child process that says on its standard output when it is ready.
import { spawn } from "node:child_process";

const READY_MS = 30_000;

/** `wanted` maps a name to a pattern whose first group is the value; resolves when all are seen. */
export function startProcess(binary, args, env, wanted) {
  const child = spawn(binary, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const found = {};
  let output = "";
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`${binary} ${why}\n${output}`));
    const timer = setTimeout(() => fail("was not ready in time"), READY_MS);
    const read = (data) => {
      output += data;
      for (const [name, pattern] of Object.entries(wanted)) found[name] ??= pattern.exec(output)?.[1];
      if (!Object.keys(wanted).every((name) => found[name])) return;
      clearTimeout(timer);
      resolve({
        found,
        output: () => output,
        async kill(signal) {
          child.kill(signal);
          await exited;
        },
      });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", (data) => {
      output += data;
    });
    child.once("error", (error) => fail(error.message));
    child.once("exit", (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
}
