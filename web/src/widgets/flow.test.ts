import { describe, expect, it } from "vitest";
import { fixtures } from "./fixtures";
import { flowOf } from "./flow";

describe("flowOf", () => {
  it("makes boxes with what comes in, or goes out at a start", () => {
    const { nodes, edges } = flowOf(fixtures.flow, fixtures.flow.props);
    expect(Object.fromEntries(nodes.map((node) => [node.label, node.total]))).toMatchObject({
      Cart: "11,164",
      Picked: "7,804",
      Returned: "309",
    });
    expect(edges[0]).toEqual({ from: "Cart", to: "Abandoned", label: "3,044" });
  });
  it("names boxes, keeps loops, and takes a row without an end as a box", () => {
    const { nodes, edges } = flowOf(fixtures.flowLoop, fixtures.flowLoop.props);
    expect(nodes.map((node) => node.id)).toEqual(["new", "open", "waiting", "done"]);
    expect(nodes[2]?.label).toBe("Waits for the customer");
    expect(edges.find((edge) => edge.from === edge.to)?.label).toBe("handed over");
  });
  it("makes one arrow of several between the same boxes", () => {
    const rows = [
      { a: "x", b: "y", n: "0.10" },
      { a: "x", b: "y", n: "0.20" },
      { a: null, b: null, n: "9" },
    ];
    const columns = fixtures.flow.columns.map((column, index) => ({
      ...column,
      name: ["a", "b", "n"][index] ?? "",
    }));
    const flow = flowOf({ columns, rows, truncated: false }, { from: "a", to: "b", label: "n" });
    expect(flow.nodes).toHaveLength(2);
    expect(flow.edges).toEqual([{ from: "x", to: "y", label: "0.30" }]);
    const words = rows.map((row, index) => ({ ...row, n: index === 0 ? "by post" : "by hand" }));
    expect(
      flowOf({ columns, rows: words, truncated: false }, { from: "a", to: "b", label: "n" }).edges[0]?.label,
    ).toBe("by post, by hand");
  });
});
