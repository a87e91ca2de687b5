import type { ReactNode } from "react";
import { count as formatCount } from "@/lib/format";

export function PageHeader({
  title,
  count,
  children,
}: {
  title: string;
  count?: number;
  children?: ReactNode;
}) {
  return (
    <div className="flex min-h-[52px] flex-wrap items-center gap-x-3 gap-y-2 border-line border-b px-4 py-2">
      <h1 className="flex items-baseline gap-2 font-semibold text-title">
        {title}
        {count === undefined ? null : (
          <span className="font-normal text-ink-3 text-small tabular-nums">{formatCount(count)}</span>
        )}
      </h1>
      {children}
    </div>
  );
}
