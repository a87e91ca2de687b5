import type { ReactNode } from "react";
import { cx } from "@/lib/cx";

const tones = {
  plain: "bg-sunken text-ink-2",
  accent: "bg-accent-soft text-accent-text",
  ask: "bg-ask-soft text-ask",
  danger: "bg-danger-soft text-danger",
  good: "bg-good-soft text-good",
};
export type Tone = keyof typeof tones;

export function Badge({ tone = "plain", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={cx(
        "inline-flex h-5 shrink-0 items-center gap-1 whitespace-nowrap rounded-sm px-1.5 font-medium text-meta [&_svg]:size-3",
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
