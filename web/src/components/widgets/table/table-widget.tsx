import { useMemo, useState } from "react";
import { formatOf, valueText } from "@/widgets/format";
import { sorted } from "@/widgets/sort";
import {
  type Column,
  cellOf,
  columnOf,
  type Data,
  isNumeric,
  type Sort,
  type TableProps,
} from "@/widgets/spec";
import { ScrollRegion } from "../scroll-region";
import { cellClass } from "./cell-class";
import { SortHeader } from "./sort-header";
import { TotalsRows } from "./totals-rows";

type Props = { data: Data; props: TableProps };

export function TableWidget({ data, props }: Props) {
  const columns = props.columns?.map((name) => columnOf(data, name)) ?? data.columns;
  const [sort, setSort] = useState<Sort | null>(props.sortBy ?? null);
  const rows = useMemo(() => sorted(data, sort), [data, sort]);
  return (
    <ScrollRegion className="max-h-96">
      <table className="w-full border-separate border-spacing-0">
        <thead>
          <tr>
            {columns.map((column) => (
              <SortHeader key={column.name} column={column} sort={sort} onSort={setSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result need not have an id
            <tr key={index}>
              {columns.map((column) => (
                <Cell key={column.name} column={column} text={textIn(row, column, props)} />
              ))}
            </tr>
          ))}
        </tbody>
        <TotalsRows data={data} columns={columns} props={props} />
      </table>
    </ScrollRegion>
  );
}

const textIn = (row: Data["rows"][number], column: Column, props: TableProps): string =>
  valueText(cellOf(row, column.name), column, formatOf(props.formats, column.name));

function Cell({ column, text }: { column: Column; text: string }) {
  return (
    <td className={cellClass(isNumeric(column.type))} title={text.length > 32 ? text : undefined}>
      <bdi className={isNumeric(column.type) ? undefined : "block truncate"}>{text}</bdi>
    </td>
  );
}
