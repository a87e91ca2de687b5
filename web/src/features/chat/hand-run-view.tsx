import { SquareTerminal, X } from "lucide-react";
import type { Call } from "@/api/types";
import { Button } from "@/components/button";
import { LiveCall } from "@/components/call/live-call";
import { t } from "@/lib/t";

type Props = { call: Call; onDismiss?: (id: string) => void };

export function HandRunView({ call, onDismiss }: Props) {
  return (
    <section
      className="grid gap-2.5 rounded-xl border border-line p-3.5"
      aria-label={t("run.byHand", { title: call.title })}
    >
      <p className="flex items-center gap-2 text-ink-2 text-small">
        <SquareTerminal aria-hidden className="size-4" />
        {t("run.youRan")} <span className="font-mono text-ink-3 text-meta">{call.tool}</span>
        {onDismiss ? (
          <Button
            variant="ghost"
            size="icon"
            className="-my-1 -me-1.5 ms-auto"
            aria-label={t("run.dismiss")}
            title={t("run.dismiss")}
            onClick={() => onDismiss(call.id)}
          >
            <X aria-hidden />
          </Button>
        ) : null}
      </p>
      <LiveCall call={call} />
    </section>
  );
}
