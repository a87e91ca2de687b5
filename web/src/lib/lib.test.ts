import { afterEach, describe, expect, it, vi } from "vitest";
import { backoff } from "./backoff";
import { bytes, duration, fromNow } from "./format";
import { humanise } from "./labels";
import { forgetSignInToken, signInToken, takeSignInToken } from "./sign-in-token";
import { t } from "./t";
import { uuid } from "./uuid";

describe("t", () => {
  it("fills in values and chooses between one and many", () => {
    expect(t("chat.ranTools", { count: 1 })).toBe("Ran 1 tool");
    expect(t("chat.ranTools", { count: 1200 })).toBe("Ran 1,200 tools");
  });
  it("leaves braces alone that come with a value", () => {
    expect(t("approval.waits", { title: "{count}" })).toBe("Waiting for a decision: {count}");
  });
});

describe("format", () => {
  it("writes durations and sizes as one reads them", () => {
    expect([duration(4), duration(612), duration(61_000)]).toEqual(["4 ms", "0.6 s", "1.0 min"]);
    expect([bytes(12), bytes(2048)]).toEqual(["12 B", "2.0 KB"]);
    expect(fromNow("2026-01-01T10:14:30Z", Date.parse("2026-01-01T10:00:00Z"))).toBe("in 14 minutes");
  });
  it("makes words of names", () => {
    expect([humanise("order_line"), humanise("shippedAt"), humanise("")]).toEqual([
      "Order line",
      "Shipped at",
      "",
    ]);
  });
});

describe("backoff and uuid", () => {
  it("doubles up to eight seconds", () => {
    expect([0, 1, 2, 10].map(backoff)).toEqual([300, 600, 1200, 8000]);
  });
  it("makes version 4 ids", () => {
    expect(uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe("sign-in token", () => {
  afterEach(() => vi.restoreAllMocks());
  it("is taken out of the address bar and kept in memory", () => {
    window.history.replaceState(null, "", "/sign-in#token=secret");
    takeSignInToken();
    expect(signInToken()).toBe("secret");
    expect(window.location.href).not.toContain("secret");
    forgetSignInToken();
    expect(signInToken()).toBeNull();
  });
  it("is not taken from another page", () => {
    window.history.replaceState(null, "", "/tools#token=x");
    takeSignInToken();
    expect(signInToken()).toBeNull();
  });
});
