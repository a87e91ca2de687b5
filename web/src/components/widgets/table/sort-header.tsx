import { ArrowDown, ArrowUp } from "lucide-react";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import { type Column, isNumeric, type Sort } from "@/widgets/spec";

type Props = { column: Column; sort: Sort | null; onSort: (sort: Sort | null) => void };

/** A click sorts up, the next one down, the third gives the order of the query back. */
export function SortHeader({ column, sort, onSort }: Props) {
  const own = sort?.column === column.name ? sort : null;
  const numeric = isNumeric(column.type);
  const next = own
    ? own.descending
      ? null
      : { column: column.name, descending: true }
    : { column: column.name };
  const Arrow = own?.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={own ? (own.descending ? "descending" : "ascending") : "none"}
      className={cx("sticky top-0 z-10 bg-canvas p-0 font-medium", numeric ? "text-end" : "text-start")}
    >
      <button
        type="button"
        title={t("widget.sort", { column: column.title })}
        onClick={() => onSort(next)}
        className={cx(
          "group inline-flex max-w-72 items-center gap-1 px-3.5 py-1.5 text-ink-2 text-small hover:text-ink focus-visible:-outline-offset-2",
          numeric && "flex-row-reverse",
        )}
      >
        <bdi className="truncate">{column.title}</bdi>
        <Arrow
          aria-hidden
          className={cx("size-3 shrink-0", own ? "text-accent-text" : "opacity-0 group-hover:opacity-60")}
        />
      </button>
    </th>
  );
}
