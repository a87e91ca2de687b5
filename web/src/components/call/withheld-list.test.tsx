import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, it } from "vitest";
import { WithheldList } from "./withheld-list";

afterEach(cleanup);

it("says how many values of which field were kept from whom", () => {
  const fields = { "customer.email": 2, "customer.name": 1 };
  render(<WithheldList withheld={[{ provider: "openai", fields, at: "2026-11-30T10:00:00Z" }]} />);
  screen.getByText("customer.email");
  screen.getByText("2 values, from openai");
  screen.getByText("1 value, from openai");
});
