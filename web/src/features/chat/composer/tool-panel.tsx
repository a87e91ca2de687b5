import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Call, Tool } from "@/api/types";
import { Button } from "@/components/button";
import { ToolRunForm } from "@/components/tool-run/tool-run-form";
import { t } from "@/lib/t";

type Props = {
  tool: Tool;
  conversationId: string | undefined;
  onClose: () => void;
  onCalled: (call: Call) => void;
};

/**
 * The composer while it runs a tool by hand. A call that did not work, or was only
 * tried, leaves the form as it is.
 */
export function ToolPanel({ tool, conversationId, onClose, onCalled }: Props) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  }, []);
  return (
    <div ref={panel} className="grid gap-2.5">
      <div className="flex items-center gap-2">
        <h2 className="font-semibold">{tool.title}</h2>
        <span className="font-mono text-ink-3 text-meta">{tool.name}</span>
        <Button
          variant="ghost"
          size="icon"
          className="ms-auto"
          aria-label={t("action.close")}
          onClick={onClose}
        >
          <X aria-hidden />
        </Button>
      </div>
      <ToolRunForm
        tool={tool}
        conversationId={conversationId}
        intro={tool.description}
        onCancel={onClose}
        onCalled={(call) => {
          onCalled(call);
          const worked = call.status !== "failed" && call.status !== "refused";
          if (worked && !call.trial) onClose();
        }}
      />
    </div>
  );
}
