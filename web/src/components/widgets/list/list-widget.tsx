import { Badge } from "@/components/badge";
import { formatOf, valueText } from "@/widgets/format";
import { cellOf, columnOf, type Data, type ListProps } from "@/widgets/spec";
import { More } from "../more";

type Props = { data: Data; props: ListProps };
const FIRST = 10;

export function ListWidget({ data, props }: Props) {
  return (
    <More items={data.rows} first={FIRST}>
      {(rows) => (
        <ul className="divide-y divide-line">
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result need not have an id
            <Item key={index} data={data} row={row} props={props} />
          ))}
        </ul>
      )}
    </More>
  );
}

function Item({ data, row, props }: Props & { row: Data["rows"][number] }) {
  const text = (name: string | undefined) =>
    name ? valueText(cellOf(row, name), columnOf(data, name), formatOf(props.formats, name)) : "";
  const [subtitle, badge] = [text(props.subtitle), text(props.badge)];
  return (
    <li className="flex min-h-row items-center gap-3 px-3.5 py-1.5">
      <div className="min-w-0 grow">
        <p className="line-clamp-2 break-words font-medium">
          <bdi>{text(props.title) || "–"}</bdi>
        </p>
        {subtitle ? (
          <p className="line-clamp-2 break-words text-ink-2 text-small">
            <bdi>{subtitle}</bdi>
          </p>
        ) : null}
      </div>
      {badge ? (
        <span className="max-w-[45%] shrink-0 overflow-hidden rounded-sm" title={badge}>
          <Badge>
            <bdi className="tabular-nums">{badge}</bdi>
          </Badge>
        </span>
      ) : null}
    </li>
  );
}
