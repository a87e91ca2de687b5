import { useMemo } from "react";
import { pageDirection } from "@/lib/page-direction";
import { t } from "@/lib/t";
import { flowOf } from "@/widgets/flow";
import type { Data, FlowProps } from "@/widgets/spec";
import { useWidth } from "../chart/use-width";
import { ScrollRegion } from "../scroll-region";
import { FlowEdges } from "./flow-edges";
import { FlowNodes } from "./flow-nodes";
import { placed } from "./placed";

type Props = { data: Data; props: FlowProps };

const NARROW = 520;

/** Boxes and arrows in the direction of reading; on a narrow screen from top to bottom. */
export function FlowWidget({ data, props }: Props) {
  const [box, width] = useWidth();
  const flow = useMemo(() => flowOf(data, props), [data, props]);
  const down = width < NARROW;
  const rtl = pageDirection() === "rtl";
  const plan = useMemo(() => placed(flow, down ? "TB" : rtl ? "RL" : "LR"), [flow, down, rtl]);
  // A little too wide is drawn smaller; what would be hard to read then scrolls instead.
  const scale = Math.min(1, Math.max(0.8, (width - 16) / plan.width));
  const label = t("describe.flow", { nodes: flow.nodes.length, count: flow.edges.length });
  return (
    <div ref={box}>
      <ScrollRegion className="flex max-h-160 p-2">
        <svg
          role="img"
          aria-label={label}
          width={plan.width * scale}
          height={plan.height * scale}
          viewBox={`0 0 ${plan.width} ${plan.height}`}
          className="m-auto block shrink-0 [direction:ltr]"
        >
          <FlowEdges edges={plan.edges} />
          <FlowNodes nodes={plan.nodes} />
        </svg>
      </ScrollRegion>
    </div>
  );
}
