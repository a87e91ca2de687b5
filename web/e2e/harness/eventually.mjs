// What a page shows comes some time after what was done: it is read until it is what is expected.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

const PATIENCE_MS = 15_000;
const STEP_MS = 50;

/**
 * Reads until what is read is `expected`, or matches it where that is a pattern; gives it back.
 * After 15 seconds it fails with the last difference.
 */
export async function eventually(read, expected, message) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const actual = await read();
    try {
      if (expected instanceof RegExp) assert.match(actual, expected, message);
      else assert.deepEqual(actual, expected, message);
      return actual;
    } catch (difference) {
      if (Date.now() > end) throw difference;
    }
    await sleep(STEP_MS);
  }
}
