import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import { labelText } from "@/widgets/format";
import { type Pivot, spanOf } from "@/widgets/pivot";
import { columnOf, type Data, type PivotProps } from "@/widgets/spec";

type Props = { data: Data; props: PivotProps; pivot: Pivot };

const head = "max-w-60 bg-canvas px-3.5 py-1.5 font-medium text-ink-2 text-small";

/** One line for each column that stands along the top, outermost first. */
export function PivotHead({ data, props, pivot: { across } }: Props) {
  const depths = props.columns.length;
  return (
    <thead className="sticky top-0 z-10">
      {props.columns.map((name, depth) => (
        <tr key={name}>
          {depth === 0
            ? props.rows.map((row) => (
                <th key={row} scope="col" rowSpan={depths} className={cx(head, "text-start align-bottom")}>
                  <bdi className="block truncate">{columnOf(data, row).title}</bdi>
                </th>
              ))
            : null}
          {across.map((key, index) => {
            const span = spanOf(across, index, depth);
            return span === 0 ? null : (
              <th
                key={key.id}
                scope={span > 1 ? "colgroup" : "col"}
                colSpan={span}
                className={cx(head, span > 1 ? "border-line border-b text-center" : "text-end")}
              >
                <bdi className="block truncate">{labelText(key.values[depth], columnOf(data, name))}</bdi>
              </th>
            );
          })}
          {depth === 0 && props.totals ? (
            <th scope="col" rowSpan={depths} className={cx(head, "text-end align-bottom")}>
              {t(`fn.${props.measure.fn}`)}
            </th>
          ) : null}
        </tr>
      ))}
    </thead>
  );
}
