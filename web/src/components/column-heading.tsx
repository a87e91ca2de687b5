import { cx } from "@/lib/cx";

type Props = { children: string; end?: boolean; className?: string };

/** The heading of a column. */
export function ColumnHeading({ children, end = false, className }: Props) {
  return (
    <th scope="col" className={cx("font-medium", end ? "text-end" : "text-start", className)}>
      {children}
    </th>
  );
}
