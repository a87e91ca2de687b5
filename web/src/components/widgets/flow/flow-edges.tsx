import { useId } from "react";
import type { PlacedEdge, Spot } from "./placed";

export function FlowEdges({ edges }: { edges: PlacedEdge[] }) {
  const head = useId();
  return (
    <g>
      <defs>
        <marker id={head} viewBox="0 0 8 8" refX={7} refY={4} markerWidth={7} markerHeight={7} orient="auto">
          <path d="M0 0.5L7.5 4L0 7.5Z" className="fill-ink-3" />
        </marker>
      </defs>
      {edges.map((edge) => (
        <path
          key={edge.key}
          d={curve(edge.points)}
          fill="none"
          className="stroke-ink-3"
          strokeWidth={1.25}
          markerEnd={`url(#${head})`}
        />
      ))}
      {edges.map((edge) =>
        edge.label ? (
          <g key={edge.key}>
            <rect
              x={edge.at.x - edge.width / 2}
              y={edge.at.y - 9}
              width={edge.width}
              height={18}
              rx={4}
              className="fill-canvas"
            />
            <text
              x={edge.at.x}
              y={edge.at.y}
              dy="0.34em"
              textAnchor="middle"
              className="fill-ink-2 text-meta tabular-nums"
            >
              {edge.label}
            </text>
          </g>
        ) : null,
      )}
    </g>
  );
}

/** A smooth line: through the middle between each two points, bent towards the points themselves. */
function curve(points: Spot[]): string {
  const [start, ...rest] = points;
  const end = rest.at(-1);
  if (!start || !end) return "";
  const bends = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? end;
    const last = index === rest.length - 2;
    const to = last ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x} ${point.y} ${to.x} ${to.y}`;
  });
  return `M${start.x} ${start.y}${bends.length > 0 ? bends.join("") : `L${end.x} ${end.y}`}`;
}
