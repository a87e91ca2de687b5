import { Database, Truck, Wrench } from "lucide-react";
import { expect, it } from "vitest";
import { toolIcon } from "./icons";

it("a tool has the icon it names, else that of its kind", () => {
  expect(toolIcon({ kind: "record", icon: "truck" })).toBe(Truck);
  expect(toolIcon({ kind: "record", icon: "no-such-icon" })).toBe(Database);
  expect(toolIcon({ kind: "record", icon: "constructor" })).toBe(Database);
  expect(toolIcon({ kind: "record" })).toBe(Database);
  expect(toolIcon({ kind: "another" })).toBe(Wrench);
});
