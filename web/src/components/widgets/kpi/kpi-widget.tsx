import { t } from "@/lib/t";
import { decimalOf, drawable } from "@/widgets/decimal";
import { valueText } from "@/widgets/format";
import { cellOf, columnOf, type Data, type KpiProps } from "@/widgets/spec";
import { Delta } from "./delta";
import { Target } from "./target";

type Props = { data: Data; props: KpiProps };

export function KpiWidget({ data, props }: Props) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,10.5rem),1fr))] overflow-hidden">
      {data.rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result need not have an id
        <Figure key={index} data={data} row={row} props={props} />
      ))}
    </dl>
  );
}

function Figure({ data, row, props }: Props & { row: Data["rows"][number] }) {
  const column = columnOf(data, props.value);
  const cell = cellOf(row, props.value);
  const label = props.label ? valueText(cellOf(row, props.label), columnOf(data, props.label)) : "";
  const delta = props.delta ? decimalOf(cellOf(row, props.delta)) : null;
  const target = props.target ? cellOf(row, props.target) : null;
  return (
    <div className="-me-px -mb-px min-w-0 border-line border-e border-b px-3.5 py-3">
      <dt className="break-words text-ink-2 text-small">
        <bdi>{label || column.title}</bdi>
      </dt>
      <dd className="mt-0.5">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="min-w-0 break-words font-semibold text-[22px] leading-8 tabular-nums">
            {valueText(cell, column, props.format) || t("widget.noValue")}
          </bdi>
          {delta ? (
            <Delta
              value={delta}
              format={props.deltaFormat ?? props.format}
              lowerIsBetter={props.lowerIsBetter}
            />
          ) : null}
        </span>
        {props.note ? <span className="block break-words text-ink-3 text-meta">{props.note}</span> : null}
        {props.target && target !== null ? (
          <Target
            value={drawable(cell)}
            target={drawable(target)}
            text={valueText(target, columnOf(data, props.target), props.format)}
          />
        ) : null}
      </dd>
    </div>
  );
}
