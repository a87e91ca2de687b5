import { expect, it } from "vitest";
import type { Subscriber } from "@/api/types";
import { draftOf, emptyDraft, isFit, nothingUnfit, sentOf, unfitOf } from "./draft";

const subscriber: Subscriber = {
  id: "0190",
  kind: "webhook",
  name: "Ledger",
  url: "https://ledger.shop.test/hook",
  tools: ["update_record"],
  pre: "sync",
  post: true,
  timeoutMs: 2500,
  enabled: false,
  version: 3,
  createdAt: null,
  createdBy: null,
  waiting: 0,
  dead: 0,
  lastError: null,
};
const { name, url, tools, pre, post, timeoutMs, enabled } = subscriber;
const draft = draftOf(subscriber);

it("what is not changed is sent as it was", () => {
  expect(unfitOf(draft)).toEqual(nothingUnfit);
  expect(sentOf(draft)).toEqual({ name, url, tools, pre, post, timeoutMs, enabled });
});

it("for all tools no names are sent, also where some were chosen before", () => {
  expect(sentOf({ ...draft, isForAll: true }).tools).toEqual([]);
  expect(draftOf({ ...subscriber, tools: [] }).isForAll).toBe(true);
});

it("an empty one needs a name and an address, and no more", () => {
  const { name: noName, url: noUrl, ...rest } = unfitOf(emptyDraft);
  expect([noName, noUrl, rest]).toEqual([
    "It needs a name.",
    expect.stringContaining("http://"),
    { tools: null, timeout: null },
  ]);
  expect(isFit(unfitOf({ ...emptyDraft, name: "a", url: "http://127.0.0.1:9/" }))).toBe(true);
});

it("says what is not fit", () => {
  const unfit = (change: Partial<typeof draft>) => unfitOf({ ...draft, ...change });
  expect(unfit({ name: "n".repeat(81) }).name).toBe("At most 80 characters.");
  for (const each of ["ftp://a.test/", "https:a.test", "https://", "//a.test", "https://ann:pw@a.test/"])
    expect(unfit({ url: each }).url, each).not.toBeNull();
  expect(unfit({ isForAll: false, tools: [] }).tools).not.toBeNull();
  for (const each of ["", "soon", "0.05", "30.1"])
    expect(unfit({ timeout: each }).timeout, each).not.toBeNull();
  expect(sentOf({ ...draft, timeout: " 0,1 " }).timeoutMs).toBe(100);
});
