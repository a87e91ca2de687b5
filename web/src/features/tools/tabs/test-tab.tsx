import { useState } from "react";
import type { Call, Tool } from "@/api/types";
import { LiveCall } from "@/components/call/live-call";
import { ToolRunForm } from "@/components/tool-run/tool-run-form";
import { t } from "@/lib/t";

export function TestTab({ tool }: { tool: Tool }) {
  const [call, setCall] = useState<Call | null>(null);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <ToolRunForm tool={tool} intro={tool.enabled ? t("test.intro") : t("test.off")} onCalled={setCall} />
      {call ? (
        <section className="border-line border-t pt-4" aria-label={t("result.label")}>
          <LiveCall key={call.id} call={call} />
        </section>
      ) : null}
    </div>
  );
}
