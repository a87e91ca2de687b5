import { ShareBar } from "@/components/share-bar";
import { percent } from "@/lib/format";
import { t } from "@/lib/t";
import { drawable } from "@/widgets/decimal";
import { valueText } from "@/widgets/format";
import { cellOf, columnOf, type Data, type ProgressProps } from "@/widgets/spec";
import { More } from "../more";

type Props = { data: Data; props: ProgressProps };
const FIRST = 12;

export function ProgressWidget({ data, props }: Props) {
  return (
    <More items={data.rows} first={FIRST}>
      {(rows) => (
        <ul className="grid gap-3 px-3.5 py-3">
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result need not have an id
            <Bar key={index} data={data} row={row} props={props} />
          ))}
        </ul>
      )}
    </More>
  );
}

function Bar({ data, row, props }: Props & { row: Data["rows"][number] }) {
  const text = (name: string, format?: string) => valueText(cellOf(row, name), columnOf(data, name), format);
  const value = drawable(cellOf(row, props.value));
  const full = props.target ? drawable(cellOf(row, props.target)) : usual(props);
  const share = value !== null && full !== null && full > 0 ? value / full : null;
  const label = text(props.label) || "–";
  const number = text(props.value, props.format) || (props.target ? "–" : t("widget.noValue"));
  const said = props.target
    ? t("widget.ofTarget", { share: number, target: text(props.target, props.format) || "–" })
    : number;
  return (
    <li className="grid gap-1">
      <p className="flex items-baseline gap-3">
        <bdi className="min-w-0 grow break-words">{label}</bdi>
        <span className="shrink-0 text-ink-2 text-small tabular-nums">
          <bdi>{said}</bdi>
          {share !== null && props.format !== "percent" ? (
            <span className="ms-2 inline-block min-w-10 text-end font-medium text-ink">{percent(share)}</span>
          ) : null}
        </span>
      </p>
      <ShareBar share={share ?? 0} />
    </li>
  );
}

const usual = ({ max, format }: ProgressProps): number => max ?? (format === "percent" ? 1 : 100);
