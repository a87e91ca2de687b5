import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { fixtures } from "@/widgets/fixtures";
import { newTool, type Part } from "../stream/thread";
import { Answer } from "./answer";

vi.mock("@tanstack/react-router", () => ({ Link: () => null }));
afterEach(cleanup);

const text = (words: string): Part => ({ type: "text", key: null, text: words, streaming: true, read: 0 });

it("draws a shown result between the line of its call and the text that goes on", async () => {
  const call: Part = {
    ...newTool("c1"),
    tool: "show_data",
    title: "Show data: this year",
    state: "output-available",
    output: fixtures.kpi,
  };
  const answer = (...parts: Part[]) => (
    <Answer message={{ id: "m", role: "assistant", parts }} approvals={{}} onDecided={() => undefined} />
  );
  const { rerender, container } = render(answer(call, text("Revenue grew")));
  const figure = await screen.findByRole("figure", { name: "This year so far" });
  const line = screen.getByRole("button", { name: "Show data: this year" });
  const order = [line, figure, screen.getByText("Revenue grew")];
  const follows = (a: Node, b: Node) =>
    Boolean(a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING);
  expect(order.slice(1).every((each, index) => follows(order[index] as Node, each))).toBe(true);

  fireEvent.click(screen.getByRole("button", { name: "Show as table" }));
  rerender(answer(call, text("Revenue grew by a tenth")));
  expect(screen.getByRole("table")).toBeTruthy();

  fireEvent.click(line);
  expect(container.querySelectorAll("figure[data-widget]")).toHaveLength(1);
});
