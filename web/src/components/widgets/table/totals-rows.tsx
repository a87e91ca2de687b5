import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import { aggregate, aggregated } from "@/widgets/aggregate";
import { formatOf, valueText } from "@/widgets/format";
import { type Column, cellOf, type Data, type Fn, isNumeric, type TableProps } from "@/widgets/spec";

type Props = { data: Data; columns: Column[]; props: TableProps };

/** One line for each way of putting values together, under the rows. */
export function TotalsRows({ data, columns, props }: Props) {
  const fns = [...new Set(props.totals?.map((total) => total.fn))];
  if (fns.length === 0) return null;
  return (
    <tfoot className="sticky bottom-0">
      {fns.map((fn, line) => (
        <tr key={fn}>
          {columns.map((column, index) => {
            const text = totalText(data, column, fn, props);
            const className = cx(
              "whitespace-nowrap bg-rail px-3.5 py-1.5 font-semibold",
              line === 0 ? "border-field-line border-t" : "border-line border-t",
              isNumeric(column.type) || (index > 0 && text) ? "text-end tabular-nums" : "text-start",
            );
            return index === 0 ? (
              <th key={column.name} scope="row" className={className}>
                {t(`fn.${fn}`)} <bdi>{text}</bdi>
              </th>
            ) : (
              <td key={column.name} className={className}>
                <bdi>{text}</bdi>
              </td>
            );
          })}
        </tr>
      ))}
    </tfoot>
  );
}

function totalText(data: Data, column: Column, fn: Fn, { totals, formats }: TableProps): string {
  if (!totals?.some((total) => total.fn === fn && total.column === column.name)) return "";
  const values = data.rows.map((row) => cellOf(row, column.name));
  const format = fn === "count" ? undefined : formatOf(formats, column.name);
  return valueText(aggregate(values, fn, column), aggregated(column, fn), format);
}
