import type { ReactNode } from "react";
import { useId } from "react";
import { t } from "@/lib/t";
import type { Active } from "./use-active";

type Props = {
  width: number;
  height: number;
  label: string;
  active: Active;
  /** What the value that is looked at reads. */
  said: string;
  onPoint: (x: number, y: number) => void;
  children: ReactNode;
};

/** The drawing of a chart: one stop for the keyboard, in which arrow keys go from value to value. */
export function ChartFrame({ width, height, label, active, said, onPoint, children }: Props) {
  const id = useId();
  return (
    <>
      <svg
        role="img"
        aria-label={label}
        aria-describedby={id}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its values are read with the arrow keys
        tabIndex={0}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        className="block rounded-md text-meta tabular-nums [direction:ltr] focus-visible:-outline-offset-2"
        onKeyDown={active.onKeyDown}
        onBlur={() => active.point(null)}
        onPointerLeave={() => active.point(null)}
        onPointerMove={(event) => point(event, onPoint)}
        onPointerDown={(event) => point(event, onPoint)}
      >
        {children}
      </svg>
      <span id={id} hidden>
        {t("widget.chartKeys")}
      </span>
      <span role="status" className="sr-only">
        {active.byKey ? said : ""}
      </span>
    </>
  );
}

type Point = { clientX: number; clientY: number; currentTarget: SVGSVGElement };

function point({ clientX, clientY, currentTarget }: Point, onPoint: Props["onPoint"]): void {
  const box = currentTarget.getBoundingClientRect();
  onPoint(clientX - box.left, clientY - box.top);
}
