import { cx } from "@/lib/cx";

export const cellClass = (numeric: boolean): string =>
  cx("max-w-72 border-line border-t px-3.5 py-1.5", numeric ? "text-end tabular-nums" : "text-start");
