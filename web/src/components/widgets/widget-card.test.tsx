import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { JsonObject } from "@/api/types";
import { fixtures, odd } from "@/widgets/fixtures";
import { WidgetCard } from "./widget-card";

afterEach(() => {
  cleanup();
  document.documentElement.dir = "ltr";
  vi.unstubAllGlobals();
});

const show = (output: JsonObject) => render(<WidgetCard output={output} />);
const cells = (row: HTMLElement) =>
  within(row)
    .getAllByRole("cell")
    .map((cell) => cell.textContent);
const column = (index: number) =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.children[index]?.textContent);
const press = (element: Element, ...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(element, { key });
};

describe("every widget", () => {
  it.each(Object.entries({ ...fixtures, ...odd }))(
    "%s is a figure with a name and a description",
    async (_, output) => {
      show(output);
      const figure = screen.getByRole("figure", { name: output.title });
      const summary = document.getElementById(figure.getAttribute("aria-describedby") ?? "");
      expect(summary?.textContent).toMatch(/\.$/);
      expect(screen.getByRole("button", { name: "Copy CSV" })).toBeTruthy();
      await act(async () => undefined);
      expect(screen.queryByText(/could not be drawn/)).toBeNull();
    },
  );

  it("takes text for text", () => {
    const hostile = "<img src=x onerror=alert(1)><a href=javascript:alert(1)>x</a>";
    show({
      ...fixtures.list,
      title: hostile,
      rows: [{ number: hostile, customer: "https://example.com/x.png" }],
    });
    expect(screen.getAllByText(hostile)).toHaveLength(2);
    expect(document.querySelector("img, a, script, iframe")).toBeNull();
  });

  it("copies all rows, and says so when it may not", async () => {
    const region = document.body.appendChild(document.createElement("div"));
    region.id = "announcements";
    const writeText = vi.fn(async (_: string) => undefined);
    vi.stubGlobal("navigator", { clipboard: { writeText } });
    show(fixtures.kpiTarget);
    await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Copy CSV" })));
    expect(writeText).toHaveBeenCalledWith("Revenue,Plan,Change\r\n1234.50,1500.00,-20.10");
    vi.stubGlobal("navigator", {});
    fireEvent.click(screen.getByRole("button", { name: "Copy CSV" }));
    await vi.waitFor(() => expect(region.textContent).toBe("The browser did not allow copying."));
    region.remove();
  });

  it("shows its rows as a table and back", () => {
    show(fixtures.kpi);
    const button = screen.getByRole("button", { name: "Show as table" });
    expect(screen.queryByRole("table")).toBeNull();
    fireEvent.click(button);
    expect(button.getAttribute("aria-pressed")).toBe("true");
    expect(cells(screen.getAllByRole("row")[1] as HTMLElement)).toEqual(["Revenue", "1,843,200", "12.4%"]);
    fireEvent.click(button);
    expect(screen.queryByRole("table")).toBeNull();
  });

  it("says that rows were left out, and what totals then mean", () => {
    show(fixtures.hundred);
    expect(screen.getByText("First 100 rows")).toBeTruthy();
    expect(screen.getByText("Totals cover these rows only.")).toBeTruthy();
    expect(screen.getAllByRole("row")).toHaveLength(1 + 100 + 2);
  });
});

describe("what cannot be drawn", () => {
  it.each([
    [odd.unknownColumn, "No such column: “revenu”. There are: “month”, “online”, “stores”."],
    [odd.badProps, "The property props.kind is not what this widget takes (enum)."],
    [odd.unknownWidget, "“map” is no widget known here."],
  ])("is a table that says why", (output, text) => {
    show(output);
    expect(screen.getByText(text, { exact: false })).toBeTruthy();
    expect(screen.getAllByRole("row")).toHaveLength(output.rows.length + 1);
  });
  it("says that there are no rows, or no numbers", async () => {
    show(odd.empty);
    expect(screen.getAllByText("No rows.")).toHaveLength(2);
    cleanup();
    show(odd.noNumbers);
    expect(await screen.findByText(/the columns hold no numbers/)).toBeTruthy();
  });
});

describe("table", () => {
  it("sorts up, down, and back, with nothing last", () => {
    show({ ...fixtures.table, props: {} });
    const header = screen.getByRole("columnheader", { name: "Total" });
    const button = within(header).getByRole("button");
    const first = () => column(2).slice(0, 2).concat(column(2).at(-1));
    expect(header.getAttribute("aria-sort")).toBe("none");
    fireEvent.click(button);
    expect(header.getAttribute("aria-sort")).toBe("ascending");
    expect(first()).toEqual(["-1,418.25", "996.00", ""]);
    fireEvent.click(button);
    expect(header.getAttribute("aria-sort")).toBe("descending");
    expect(first()).toEqual(["12,345,678,901,234,567,890.12", "1,840.00", ""]);
    fireEvent.click(button);
    expect(header.getAttribute("aria-sort")).toBe("none");
    expect(column(0)[0]).toBe("SO-10482");
  });
  it("begins sorted, and adds up exactly", () => {
    show(fixtures.table);
    expect(column(0)[0]).toBe("SO-10477");
    expect(column(2).at(-2)).toBe("€12,345,678,901,234,570,937.37");
    expect(screen.getByRole("rowheader", { name: "Count 6" })).toBeTruthy();
  });
  it("shows the columns that were asked for, in their order", () => {
    show({ ...fixtures.table, props: { columns: ["status", "order"] } });
    expect(screen.getAllByRole("columnheader").map((each) => each.textContent)).toEqual(["Status", "Order"]);
  });
});

describe("chart", () => {
  const drawn = () => screen.findByRole("img");
  it("is read with the arrow keys, value by value", async () => {
    show(fixtures.bar);
    const chart = await drawn();
    const said = () => screen.getByRole("status").textContent;
    expect(chart.getAttribute("tabindex")).toBe("0");
    expect(chart.getAttribute("aria-label")).toBe("Bar chart: Online, Stores, Month");
    press(chart, "ArrowRight");
    expect(said()).toBe("Jan 2026: Online €110,000.00, Stores €72,200.13");
    press(chart, "End");
    expect(said()).toMatch(/^Oct 2026/);
    press(chart, "ArrowRight", "ArrowLeft");
    expect(said()).toMatch(/^Sep 2026/);
    press(chart, "Escape");
    expect(said()).toBe("");
  });
  it("goes the other way where reading does", async () => {
    document.documentElement.dir = "rtl";
    show(fixtures.bar);
    const chart = await drawn();
    press(chart, "ArrowLeft", "ArrowLeft");
    expect(screen.getByRole("status").textContent).toMatch(/^Feb 2026/);
  });
  it("draws a bar a value, none where there is none, and names the series", async () => {
    show(fixtures.negativeBar);
    const chart = await drawn();
    expect(chart.querySelectorAll("path")).toHaveLength(7);
    expect(screen.getByText("2025")).toBeTruthy();
  });
  it("lays bars along the line when names are long", async () => {
    show(fixtures.longBar);
    const chart = await drawn();
    expect(chart.querySelectorAll("rect")).toHaveLength(6);
    press(chart, "Home");
    expect(screen.getByRole("status").textContent).toBe("Mug, stoneware, large: Sold 940");
  });
  it("breaks a line where there is no value", async () => {
    show(fixtures.line);
    const lines = [...(await drawn()).querySelectorAll("path")];
    expect(lines).toHaveLength(5);
  });
  it("lists the parts of a pie with their share", async () => {
    show(fixtures.pie);
    await drawn();
    const parts = screen.getAllByRole("listitem").map((each) => each.textContent);
    expect(parts[0]).toBe("Germany€52,000.0035.3%");
    expect(screen.getByText("1 value below zero is not part of the pie.")).toBeTruthy();
  });
  it("reads the dots of a scatter from left to right", async () => {
    show(fixtures.scatter);
    const chart = await drawn();
    expect(chart.querySelectorAll("circle")).toHaveLength(100);
    press(chart, "ArrowRight");
    expect(screen.getByRole("status").textContent).toMatch(/: Price 5\.00, Margin \d+%$/);
  });
  it("survives numbers that are too large, and one row", async () => {
    show({
      ...odd.huge,
      rows: [
        { product: "a", sold: "9".repeat(320) },
        { product: "b", sold: 1e308 },
      ],
    });
    await drawn();
    cleanup();
    show(odd.oneRow);
    expect((await drawn()).querySelectorAll("path")).toHaveLength(2);
  });
});

describe("the other widgets", () => {
  it("kpi: a figure, its change, its target", () => {
    show(fixtures.kpiTarget);
    const figure = screen.getByRole("definition");
    expect(figure.textContent).toBe("€1,234.50-€20.1082.3% of €1,500.00");
    expect(screen.getByText("-€20.10").parentElement?.className).toContain("text-danger");
  });
  it("kpi: a fall is good where less is better", () => {
    show({ ...fixtures.kpiTarget, props: { ...fixtures.kpiTarget.props, lowerIsBetter: true } });
    expect(screen.getByText("-€20.10").parentElement?.className).toContain("text-good");
  });
  it("card: the other columns when no fields are named", () => {
    show({ ...fixtures.card, props: { title: "name" } });
    const [card] = screen.getAllByRole("listitem");
    expect(
      within(card as HTMLElement)
        .getAllByRole("term")
        .map((each) => each.textContent),
    ).toEqual(["City", "Customer since", "Spent", "Notes"]);
  });
  it("list: the first ten, and the rest on request", () => {
    show(fixtures.list);
    expect(screen.getAllByRole("listitem")).toHaveLength(10);
    fireEvent.click(screen.getByRole("button", { name: "Show 4 more" }));
    expect(screen.getAllByRole("listitem")).toHaveLength(14);
  });
  it("progress: how far, also beyond the end", () => {
    show(fixtures.progress);
    const texts = screen.getAllByRole("listitem").map((each) => each.textContent);
    expect(texts[2]).toBe("Iberia€53,000 of €50,000106%".replaceAll("000", "000.00"));
    expect(texts[3]).toBe("UK & IE– of €50,000.00");
    cleanup();
    const props = { value: "sold", label: "region", format: "percent" };
    show({ ...fixtures.progress, props, rows: [{ region: "A", sold: "0.25" }] });
    expect(screen.getByRole("listitem").textContent).toBe("A25%");
    expect(document.querySelector<HTMLElement>("[style]")?.style.width).toBe("25%");
  });
  it("flow: boxes and arrows, with whole names", async () => {
    show(fixtures.flowLoop);
    const chart = await screen.findByRole("img", { name: "4 boxes joined by 5 arrows." });
    expect(chart.querySelectorAll("title")).toHaveLength(4);
    expect(within(chart).getByText("asked back")).toBeTruthy();
    expect(chart.querySelectorAll("path[marker-end]")).toHaveLength(5);
  });
  it("pivot: heads that span, rows with heads, totals", () => {
    show(fixtures.deepPivot);
    expect(screen.getByRole("columnheader", { name: "2025" }).getAttribute("colspan")).toBe("2");
    expect(screen.getByRole("rowheader", { name: "DACH" }).getAttribute("rowspan")).toBe("2");
    expect(cells(screen.getAllByRole("row").at(-1) as HTMLElement)).toEqual(["18", "27", "18", "27", "90"]);
  });
});
