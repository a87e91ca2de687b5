import { useMemo } from "react";
import type { Json } from "@/api/types";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import { drawable } from "@/widgets/decimal";
import { labelText, valueText } from "@/widgets/format";
import { pivotOf, spanOf } from "@/widgets/pivot";
import { columnOf, type Data, type PivotProps } from "@/widgets/spec";
import { ScrollRegion } from "../scroll-region";
import { PivotHead } from "./pivot-head";

type Props = { data: Data; props: PivotProps };

const side = "max-w-60 border-line border-t px-3.5 py-1.5 text-start align-top font-medium";
const cell = "whitespace-nowrap border-line border-t px-3.5 py-1.5 text-end tabular-nums";

export function PivotWidget({ data, props }: Props) {
  const pivot = useMemo(() => pivotOf(data, props), [data, props]);
  const { down, cells, totals, column } = pivot;
  const format = props.measure.fn === "count" ? undefined : props.measure.format;
  const text = (value: Json) => valueText(value, column, format);
  const most = Math.max(...cells.flat().map((value) => Math.abs(drawable(value) ?? 0)), 0);
  return (
    <ScrollRegion className="max-h-112">
      <table className="w-full border-separate border-spacing-0">
        <PivotHead data={data} props={props} pivot={pivot} />
        <tbody>
          {down.map((key, row) => (
            <tr key={key.id}>
              {props.rows.map((name, depth) => {
                const span = spanOf(down, row, depth);
                return span === 0 ? null : (
                  <th
                    key={name}
                    scope={span > 1 ? "rowgroup" : "row"}
                    rowSpan={span}
                    className={cx(side, depth === 0 && "sticky start-0 bg-canvas")}
                  >
                    <bdi className="block truncate">{labelText(key.values[depth], columnOf(data, name))}</bdi>
                  </th>
                );
              })}
              {(cells[row] ?? []).map((value, index) => (
                <td key={pivot.across[index]?.id} className={cell} style={heat(value, most)}>
                  <bdi>{text(value)}</bdi>
                </td>
              ))}
              {props.totals ? (
                <td className={cx(cell, "font-semibold")}>
                  <bdi>{text(totals.down[row] ?? null)}</bdi>
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
        {props.totals ? (
          <tfoot className="sticky bottom-0">
            <tr className="bg-rail font-semibold">
              <th
                scope="row"
                colSpan={props.rows.length}
                className="border-line border-t px-3.5 py-1.5 text-start font-semibold"
              >
                {t(`fn.${props.measure.fn}`)}
              </th>
              {[...totals.across, totals.all].map((value, index) => (
                <td key={pivot.across[index]?.id ?? "all"} className={cell}>
                  <bdi>{text(value)}</bdi>
                </td>
              ))}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </ScrollRegion>
  );
}

/** The larger, the deeper; what is below zero is red. Faint enough that the numbers stay easy to read. */
function heat(value: Json, most: number) {
  const number = drawable(value);
  if (number === null || most === 0) return undefined;
  const tone = number < 0 ? "--danger" : "--accent";
  const depth = Math.round((Math.abs(number) / most) * 18);
  return { backgroundColor: `color-mix(in oklch, var(${tone}) ${depth}%, var(--canvas))` };
}
