import { Copy } from "lucide-react";
import { useState } from "react";
import { cellText } from "@/api/json";
import { Button } from "@/components/button";
import { announce } from "@/lib/announce";
import { cx } from "@/lib/cx";
import { humanise } from "@/lib/labels";
import { t } from "@/lib/t";
import { csvOf } from "./csv";
import type { Rows } from "./shape";

const FIRST = 20;
const STEP = 200;

export function RowsTable({ rows: { rows, columns, total } }: { rows: Rows }) {
  const [shown, setShown] = useState(FIRST);
  const more = rows.length - shown;
  const numeric = new Set(columns.filter((column) => rows.every((row) => isNumber(row[column]))));
  const copy = async () => {
    await navigator.clipboard.writeText(csvOf(rows, columns));
    announce(t("result.copied"));
  };
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-canvas">
      <div className="flex h-9 items-center gap-2 border-line border-b ps-3.5 pe-1 text-ink-3 text-small">
        <span className="me-auto tabular-nums">{countText(rows.length, total)}</span>
        <Button variant="ghost" size="sm" onClick={copy}>
          <Copy aria-hidden />
          {t("result.copyCsv")}
        </Button>
      </div>
      <figure
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
        tabIndex={0}
        aria-label={t("result.label")}
        className="max-h-96 overflow-auto"
      >
        <table className="w-full border-collapse">
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  className={cx(
                    "sticky top-0 whitespace-nowrap bg-canvas px-3.5 py-1.5 font-medium text-ink-2 text-small",
                    numeric.has(column) ? "text-end" : "text-start",
                  )}
                >
                  {humanise(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a result need not have an id
              <tr key={index} className="border-line border-t">
                {columns.map((column) => (
                  <td
                    key={column}
                    className={cx(
                      "max-w-72 truncate px-3.5 py-1.5",
                      numeric.has(column) && "text-end tabular-nums",
                    )}
                    title={cellText(row[column])}
                  >
                    {cellText(row[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </figure>
      {more > 0 ? (
        <div className="border-line border-t p-1">
          <Button variant="ghost" size="sm" onClick={() => setShown(shown + STEP)}>
            {t("result.showMore", { count: Math.min(more, STEP) })}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** Decimals come as strings, so that no digit is lost on the way. */
const isNumber = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  typeof value === "number" ||
  (typeof value === "string" && /^-?\d+\.\d+$/.test(value));

function countText(count: number, total: number | null): string {
  return total !== null && total > count ? t("result.rowsOf", { count, total }) : t("result.rows", { count });
}
