import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";

/** What may be larger than its place. It can be reached by keyboard, so that the arrow keys scroll it. */
export function ScrollRegion({ className, children }: { className: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
      tabIndex={0}
      aria-label={t("result.label")}
      className={cx("overflow-auto focus-visible:-outline-offset-2", className)}
    >
      {children}
    </div>
  );
}
