import { SquareTerminal } from "lucide-react";
import type { Call } from "@/api/types";
import { LiveCall } from "@/components/call/live-call";
import { t } from "@/lib/t";

export function HandRunView({ call }: { call: Call }) {
  return (
    <section
      className="grid gap-2.5 rounded-xl border border-line p-3.5"
      aria-label={t("run.byHand", { title: call.title })}
    >
      <p className="flex items-center gap-2 text-ink-2 text-small">
        <SquareTerminal aria-hidden className="size-4" />
        {t("run.youRan")} <span className="font-mono text-ink-3 text-meta">{call.tool}</span>
      </p>
      <LiveCall call={call} />
    </section>
  );
}
