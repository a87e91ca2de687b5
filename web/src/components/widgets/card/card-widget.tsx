import { formatOf, valueText } from "@/widgets/format";
import { type CardProps, cellOf, columnOf, type Data } from "@/widgets/spec";
import { More } from "../more";

type Props = { data: Data; props: CardProps };
const FIRST = 8;

export function CardWidget({ data, props }: Props) {
  return (
    <More items={data.rows} first={FIRST}>
      {(rows) => (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-2 p-2.5">
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result need not have an id
            <Card key={index} data={data} row={row} props={props} />
          ))}
        </ul>
      )}
    </More>
  );
}

function Card({ data, row, props }: Props & { row: Data["rows"][number] }) {
  const text = (name: string) =>
    valueText(cellOf(row, name), columnOf(data, name), formatOf(props.formats, name));
  const heads = new Set([props.title, props.subtitle]);
  const fields = props.fields ?? data.columns.map((each) => each.name).filter((name) => !heads.has(name));
  return (
    <li className="min-w-0 rounded-lg border border-line p-3 only:col-span-full">
      <p className="break-words font-semibold">
        <bdi>{text(props.title) || "–"}</bdi>
      </p>
      {props.subtitle ? (
        <p className="break-words text-ink-2">
          <bdi>{text(props.subtitle)}</bdi>
        </p>
      ) : null}
      {fields.length > 0 ? (
        <dl className="mt-2 grid grid-cols-[minmax(5rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1">
          {fields.map((name) => (
            <div key={name} className="contents">
              <dt className="max-w-36 break-words text-ink-2">
                <bdi>{columnOf(data, name).title}</bdi>
              </dt>
              <dd className="line-clamp-4 break-words font-medium tabular-nums">
                <bdi>{text(name) || "–"}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </li>
  );
}
