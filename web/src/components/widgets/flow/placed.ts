import { Graph, layout } from "@dagrejs/dagre";
import { fitted, textWidth } from "@/widgets/chart/text";
import type { Flow } from "@/widgets/flow";

export type Spot = { x: number; y: number };
export type PlacedNode = Spot & {
  id: string;
  label: string;
  whole: string;
  total: string | null;
  width: number;
  height: number;
};
export type PlacedEdge = { key: string; points: Spot[]; at: Spot; label: string; width: number };
export type Plan = { width: number; height: number; nodes: PlacedNode[]; edges: PlacedEdge[] };

const WIDEST = 168;
const MARGIN = 12;

/** Gives each box and arrow its place, so that as few arrows as possible cross. */
export function placed(flow: Flow, direction: "LR" | "RL" | "TB"): Plan {
  const graph = new Graph();
  graph.setGraph({
    rankdir: direction,
    nodesep: 18,
    ranksep: 34,
    edgesep: 12,
    marginx: MARGIN,
    marginy: MARGIN,
  });
  for (const node of flow.nodes) {
    const label = fitted(node.label, WIDEST - 24, 12);
    const wide = Math.max(textWidth(label, 12), textWidth(node.total ?? "", 11)) + 24;
    graph.setNode(node.id, { width: Math.max(64, wide), height: node.total === null ? 32 : 46 });
  }
  for (const edge of flow.edges) {
    const label = fitted(edge.label, 110);
    const size = label
      ? { width: textWidth(label) + 10, height: 18, labelpos: "c" as const }
      : { width: 4, height: 4 };
    graph.setEdge(edge.from, edge.to, size);
  }
  layout(graph);
  const nodes = flow.nodes.map((node): PlacedNode => {
    const { x = 0, y = 0, width = 0, height = 0 } = graph.node(node.id);
    return { ...node, label: fitted(node.label, WIDEST - 24, 12), whole: node.label, x, y, width, height };
  });
  const edges = flow.edges.map((edge): PlacedEdge => {
    const found = graph.edge(edge.from, edge.to);
    const at = { x: found.x ?? 0, y: found.y ?? 0 };
    const own = edge.from === edge.to ? nodes.find((node) => node.id === edge.from) : undefined;
    const points = own ? loop(own, at, direction === "TB") : (found.points ?? []);
    return {
      key: JSON.stringify([edge.from, edge.to]),
      points,
      at,
      label: fitted(edge.label, 110),
      width: found.width ?? 0,
    };
  });
  const { width = 0, height = 0 } = graph.graph();
  return { width, height, nodes, edges };
}

/** An arrow from a box to itself: out of the side where room was left for it, around its label, and back. */
function loop({ x, y, width, height }: PlacedNode, at: Spot, beside: boolean): Spot[] {
  const reach = 12;
  if (beside) {
    const edge = x + width / 2;
    const far = Math.max(at.x, edge + 22);
    return [
      { x: edge, y: y - reach },
      { x: far, y: y - reach },
      { x: far, y: y + reach },
      { x: edge, y: y + reach },
    ];
  }
  const edge = y + height / 2;
  const far = Math.max(at.y, edge + 22);
  return [
    { x: x - reach, y: edge },
    { x: x - reach, y: far },
    { x: x + reach, y: far },
    { x: x + reach, y: edge },
  ];
}
