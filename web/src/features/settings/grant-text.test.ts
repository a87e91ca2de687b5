import { expect, it } from "vitest";
import type { Grant } from "@/api/types";
import { grantText } from "./grant-text";

const grant: Grant = {
  id: "g",
  tool: "update_record",
  agent: "shop",
  scope: "order:update",
  conversationId: "c",
  createdAt: "2026-11-30T10:00:00Z",
};

it("says what a decision covers, whose calls, and where", () => {
  expect(grantText(grant)).toBe("update_record of order, by the agent shop, in one conversation");
  expect(grantText({ ...grant, conversationId: null, agent: null })).toBe(
    "update_record of order, run by hand, everywhere",
  );
  expect(grantText({ ...grant, scope: "" })).toBe("update_record, by the agent shop, in one conversation");
});
