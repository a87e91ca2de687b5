import { useEffect } from "react";
import type { Tool } from "@/api/types";
import { Badge } from "@/components/badge";
import { LevelBadge } from "@/components/level-badge";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";

const SHOWN = 50;

/** Enabled tools whose name, title or description hold every word typed; names first. */
export function matching(tools: Tool[], typed: string): Tool[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const inName = (tool: Tool) =>
    words.every((word) => `${tool.name} ${tool.title}`.toLowerCase().includes(word));
  const anywhere = (tool: Tool) =>
    words.every((word) => `${tool.name} ${tool.title} ${tool.description}`.toLowerCase().includes(word));
  const enabled = tools.filter((tool) => tool.enabled);
  const first = enabled.filter(inName);
  return [...first, ...enabled.filter((tool) => !inName(tool) && anywhere(tool))].slice(0, SHOWN);
}

type Props = {
  id: string;
  options: Tool[];
  active: Tool | undefined;
  loading: boolean;
  onPick: (tool: Tool) => void;
};

export function ToolPicker({ id, options, active, loading, onPick }: Props) {
  useEffect(() => {
    if (active) document.getElementById(`${id}-${active.name}`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);
  return (
    <div className="fade-in absolute inset-x-0 bottom-full z-20 mb-2 overflow-hidden rounded-xl border border-line bg-canvas shadow-lift">
      {options.length === 0 ? (
        <p className="px-3.5 py-3 text-ink-3">{loading ? t("state.loading") : t("composer.noTool")}</p>
      ) : null}
      <div
        id={id}
        role="listbox"
        aria-label={t("composer.tools")}
        className="max-h-72 overflow-y-auto p-1 empty:hidden"
      >
        {options.map((tool) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the text field that owns the list
          <div
            key={tool.name}
            id={`${id}-${tool.name}`}
            role="option"
            tabIndex={-1}
            aria-selected={tool === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(tool)}
            className={cx(
              "flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 hover:bg-hover",
              tool === active && "bg-hover",
            )}
          >
            <span className="shrink-0 font-medium">{tool.title}</span>
            <span className="hidden shrink-0 font-mono text-ink-3 text-meta sm:inline">{tool.name}</span>
            <span className="min-w-0 flex-1 truncate text-ink-2 text-small">{tool.description}</span>
            {tool.requiresApproval ? (
              <Badge tone="ask">{t("tools.asksFirst")}</Badge>
            ) : (
              <LevelBadge level={tool.level} />
            )}
          </div>
        ))}
      </div>
    </div>
  );
}
