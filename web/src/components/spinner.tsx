import { LoaderCircle } from "lucide-react";
import { cx } from "@/lib/cx";

export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden className={cx("spin size-4 text-ink-3", className)} />;
}
