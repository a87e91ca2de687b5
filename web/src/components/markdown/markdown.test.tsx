import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { blocksOf } from "./blocks";
import { Markdown } from "./markdown";

afterEach(cleanup);

describe("Markdown", () => {
  it("makes no element of raw HTML, loads no image, follows no script link", () => {
    const hostile = [
      "![pixel](http://evil.test/p.png) <img src=x onerror=alert(1)> <script>alert(1)</script>",
      '<iframe src="http://evil.test"></iframe>',
      "[click](javascript:alert(1)) [data](data:text/html,x) ![ref][r]",
      "[r]: http://evil.test/r.png",
    ].join("\n\n");
    const { container } = render(<Markdown text={hostile} streaming={false} />);
    expect(container.querySelector("img, script, iframe, object, embed, style")).toBeNull();
    const hrefs = [...container.querySelectorAll("a")].map((link) => link.getAttribute("href"));
    expect(hrefs.every((href) => href?.startsWith("http"))).toBe(true);
    expect(container.textContent).toContain("<script>alert(1)</script>");
  });

  it("opens links elsewhere, without saying where from", () => {
    const { container } = render(<Markdown text="[docs](https://example.org)" streaming={false} />);
    const link = container.querySelector("a");
    expect(link?.rel).toContain("noreferrer");
    expect(link?.target).toBe("_blank");
  });

  it("closes open marks while streaming", () => {
    const { container } = render(<Markdown text="a **bo" streaming />);
    expect(container.querySelector("strong")?.textContent).toBe("bo");
  });
});

describe("blocksOf", () => {
  it("cuts without losing a character", () => {
    const text = "# A\n\nb\n\n- c\n- d\n\n```\ne\n\nf\n```\n\n| g | h |\n|---|---|\n| 1 | 2 |\n";
    expect(blocksOf(text).join("")).toBe(text);
    expect(blocksOf(text)).toHaveLength(5);
  });
});
