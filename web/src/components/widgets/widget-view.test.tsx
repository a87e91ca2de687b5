import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ResultView } from "@/components/result/result-view";
import { fixtures } from "@/widgets/fixtures";
import { Boundary } from "./boundary";

afterEach(cleanup);

it("a result that is a widget is drawn as one, wherever results are shown", async () => {
  render(<ResultView value={fixtures.kpi} />);
  expect(await screen.findByRole("figure", { name: "This year so far" })).toBeTruthy();
});

function Failing(): never {
  throw new Error("no");
}

it("what fails to draw leaves something to read in its place", () => {
  const silent = vi.spyOn(console, "error").mockImplementation(() => undefined);
  render(
    <Boundary instead={<p>instead</p>}>
      <Failing />
    </Boundary>,
  );
  expect(screen.getByText("instead")).toBeTruthy();
  silent.mockRestore();
});
