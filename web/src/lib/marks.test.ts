import { describe, expect, it } from "vitest";
import { holds, RESTRICTED, WITHHELD } from "./marks";

describe("holds", () => {
  it("finds a mark as the value, or as one in it however deep", () => {
    expect(holds("[withheld]", WITHHELD)).toBe(true);
    expect(holds({ rows: [{ id: 1 }, { mail: "[restricted]" }] }, RESTRICTED)).toBe(true);
    expect(holds([null, [["[withheld]"]]], WITHHELD)).toBe(true);
  });
  it("takes no text for a mark that has the word in it, and no name of a value", () => {
    expect(holds("It reads [restricted] there.", RESTRICTED)).toBe(false);
    expect(holds({ note: "[withheld] " }, WITHHELD)).toBe(false);
    expect(holds({ "[withheld]": "here" }, WITHHELD)).toBe(false);
  });
  it("tells one mark from the other, and from nothing", () => {
    expect(holds({ mail: "[restricted]" }, WITHHELD)).toBe(false);
    for (const none of [null, undefined, 0, true, "", {}, []]) expect(holds(none, WITHHELD)).toBe(false);
  });
});
