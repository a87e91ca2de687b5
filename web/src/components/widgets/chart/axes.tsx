import type { Layout } from "@/widgets/chart/layout";
import { apart, fitted, textWidth } from "@/widgets/chart/text";

type ValueProps = { layout: Layout; ticks: number[]; labels: string[] };

/** Faint lines across at round values, with their labels on the side where reading begins. */
export function ValueAxis({ layout, ticks, labels }: ValueProps) {
  const { left, right, rtl, y } = layout;
  return (
    <g aria-hidden>
      {ticks.map((tick, index) => (
        <g key={tick}>
          <line
            x1={left}
            x2={right}
            y1={Math.round(y(tick)) + 0.5}
            y2={Math.round(y(tick)) + 0.5}
            className={tick === 0 ? "stroke-field-line" : "stroke-line"}
          />
          <text
            x={rtl ? right + 8 : left - 8}
            y={y(tick)}
            dy="0.32em"
            textAnchor={rtl ? "start" : "end"}
            className="fill-ink-2"
          >
            {labels[index]}
          </text>
        </g>
      ))}
    </g>
  );
}

type PlaceProps = { layout: Layout; centres: number[]; labels: string[] };

/** The labels of the places; those that would touch another are left out. */
export function PlaceAxis({ layout, centres, labels }: PlaceProps) {
  const { width, bottom, rtl } = layout;
  const room = Math.max((layout.right - layout.left) / Math.max(labels.length, 1) - 6, 110);
  const texts = labels.map((label) => fitted(label, Math.min(room, 160)));
  const order = centres.map((_, index) => index);
  if (rtl) order.reverse();
  const widths = texts.map((text) => textWidth(text));
  const kept = apart(
    order.map((index) => centres[index] ?? 0),
    order.map((index) => widths[index] ?? 0),
  );
  return (
    <g aria-hidden>
      {kept.map((at) => {
        const index = order[at] ?? 0;
        const half = (widths[index] ?? 0) / 2;
        const x = Math.min(Math.max(centres[index] ?? 0, half + 1), width - half - 1);
        return (
          <text key={index} x={x} y={bottom + 17} textAnchor="middle" className="fill-ink-2">
            {texts[index]}
          </text>
        );
      })}
    </g>
  );
}
