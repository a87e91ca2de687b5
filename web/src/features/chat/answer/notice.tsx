import { CircleAlert, OctagonPause } from "lucide-react";
import { cx } from "@/lib/cx";
import type { NoticePart } from "../stream/thread";

export function Notice({ part }: { part: NoticePart }) {
  const failed = part.kind === "model_error";
  const Icon = failed ? CircleAlert : OctagonPause;
  return (
    <p
      className={cx(
        "flex items-start gap-2 rounded-lg px-3 py-2 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0",
        failed ? "bg-danger-soft text-danger" : "bg-sunken text-ink-2",
      )}
    >
      <Icon aria-hidden />
      <span className="min-w-0 break-words">{part.text}</span>
    </p>
  );
}
