import { type KeyboardEvent, useState } from "react";
import { pageDirection } from "@/lib/page-direction";

/** Which value of a chart is looked at, with the pointer or with the keys. */
export type Active = {
  at: number | null;
  /** True when it was the keys, so that it has to be read out. */
  byKey: boolean;
  point: (at: number | null) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

export function useActive(count: number): Active {
  const [active, setActive] = useState<{ at: number | null; byKey: boolean }>({ at: null, byKey: false });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || count === 0) return;
    const next = stepOf(event.key, active.at, count);
    if (next === undefined) return;
    event.preventDefault();
    // Escape closes what is open, and only what was opened here.
    event.stopPropagation();
    setActive({ at: next, byKey: true });
  };
  const at = active.at !== null && active.at < count ? active.at : null;
  return { at, byKey: active.byKey, point: (to) => setActive({ at: to, byKey: false }), onKeyDown };
}

function stepOf(key: string, at: number | null, count: number): number | null | undefined {
  const forward = pageDirection() === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = pageDirection() === "rtl" ? "ArrowRight" : "ArrowLeft";
  if (key === forward || key === "ArrowDown") return at === null ? 0 : Math.min(at + 1, count - 1);
  if (key === back || key === "ArrowUp") return at === null ? count - 1 : Math.max(at - 1, 0);
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return key === "Escape" && at !== null ? null : undefined;
}
