import { cx } from "@/lib/cx";

/** Words are cut where they are too long; of a number, never a digit. */
export const cellClass = (numeric: boolean): string =>
  cx(
    "border-line border-t px-3.5 py-1.5",
    numeric ? "whitespace-nowrap text-end tabular-nums" : "max-w-72 text-start",
  );
