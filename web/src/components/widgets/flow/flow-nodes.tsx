import type { PlacedNode } from "./placed";

export function FlowNodes({ nodes }: { nodes: PlacedNode[] }) {
  return (
    <g>
      {nodes.map((node) => (
        <g key={node.id} transform={`translate(${node.x - node.width / 2} ${node.y - node.height / 2})`}>
          <title>{node.whole}</title>
          <rect width={node.width} height={node.height} rx={6} className="fill-canvas stroke-field-line" />
          <text
            x={12}
            y={node.total === null ? node.height / 2 : 18}
            dy={node.total === null ? "0.34em" : 0}
            className="fill-ink font-medium text-small [unicode-bidi:plaintext]"
          >
            {node.label}
          </text>
          {node.total === null ? null : (
            <text x={12} y={35} className="fill-ink-2 text-meta tabular-nums">
              {node.total}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}
