import { expect, it } from "vitest";
import type { Approval, Card } from "@/api/types";
import { cardTitle } from "./card-title";
import { decidedText } from "./decided-text";
import { waitsFor } from "./who-decides";

const card = { title: "Update order SO-1", verb: "Update order" } as Card;
const decided = { card, status: "approved", decider: { id: "v", name: "Grace" } } as Approval;

it("says whom a card waits for", () => {
  const text = (approverRoles: string[]) => waitsFor({ approverRoles });
  expect(text(["finance"])).toBe("Waits for somebody with the role finance.");
  expect(text(["finance", "admin"])).toBe("Waits for somebody with the role finance or admin.");
  expect(text([])).toBe("Waiting for somebody who may decide.");
  expect(text([""])).toMatch(/^Nobody can decide this/);
});

it("has a title also where the card is withheld or erased", () => {
  expect(cardTitle(card)).toBe("Update order SO-1");
  expect(cardTitle({ ...card, title: "[withheld]" })).toBe("Update order (withheld)");
  expect(cardTitle("[withheld]")).toBe("A call that is withheld from you");
  expect(cardTitle({})).toBe("a call whose payload was erased");
});

it("says that arguments were edited", () => {
  expect(decidedText({ ...decided, argumentsBefore: null })).toBe("Approved by Grace: Update order SO-1");
  expect(decidedText({ ...decided, argumentsBefore: "[withheld]" })).toBe(
    "Approved by Grace, with edited arguments: Update order SO-1",
  );
});
