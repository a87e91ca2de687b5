import { describe, expect, it } from "vitest";
import { describe as inWords } from "./describe";
import { fixtures, odd } from "./fixtures";
import { readShown } from "./read";

const words = (name: keyof typeof fixtures) => inWords(readShown(fixtures[name]));

describe("describe", () => {
  it("says of a chart what it is of, from where to where, and its ends", () => {
    expect(words("bar")).toBe(
      "Bar chart of Online, Stores by Month with 10 points, from Jan 2026 to Oct 2026. " +
        "Online: lowest €106,483.71 at Apr 2026, highest €167,183.24 at Sep 2026. " +
        "Stores: lowest €68,417.67 at Feb 2026, highest €95,732.46 at Jul 2026.",
    );
    expect(words("pie")).toContain("with 8 parts. The largest is Germany with €52,000.00.");
    expect(words("scatter")).toBe("Scatter chart of Margin over Price with 100 points.");
    expect(inWords(readShown(odd.manySeries))).toMatch(/36 more series\.$/);
    expect(inWords(readShown(odd.oneRow))).toContain("with 1 point, Jan 1, 2026.");
    expect(inWords(readShown(odd.noNumbers))).toContain("Online: no values.");
  });
  it("says of the others what they hold", () => {
    expect(words("table")).toBe("Table with 6 rows. Columns: Order, Customer, Total, Status, Day.");
    expect(words("kpi")).toBe("Revenue: 1,843,200. Orders: 24,117. Average order: 76.43.");
    expect(words("card")).toBe("3 entries, by Name.");
    expect(words("progress")).toBe("Sold of 4 entries, by Region.");
    expect(words("flow")).toBe("8 boxes joined by 8 arrows.");
    expect(words("pivot")).toBe(
      "Total of Revenue by Region and Quarter: 4 rows, 4 columns. Overall €1,699,899.50.",
    );
    expect(inWords(readShown(odd.empty))).toBe("No rows.");
  });
});
