// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot hold rows that are placed by a virtualiser
// biome-ignore-all lint/a11y/useFocusableInteractive: the rows hold links and switches; they are not interactive themselves
import { ShieldCheck } from "lucide-react";
import { type MouseEvent, memo } from "react";
import type { Tool } from "@/api/types";
import { Badge } from "@/components/badge";
import { Toggle } from "@/components/toggle";
import { iconOf } from "@/components/tool/icons";
import { kindText } from "@/components/tool/kind";
import { cx } from "@/lib/cx";
import { count, duration, percent } from "@/lib/format";
import { t } from "@/lib/t";

export const toolColumns =
  "grid items-center gap-x-4 px-4 grid-cols-[minmax(0,1fr)_2.5rem] md:grid-cols-[minmax(0,1fr)_7rem_4rem_2.5rem] lg:grid-cols-[minmax(0,1fr)_11rem_7rem_3.5rem_4.5rem_4.5rem_4rem_2.5rem]";

const HIGH_ERRORS = 0.02;

type Props = {
  tool: Tool;
  index: number;
  top: number;
  height: number;
  onOpen: (name: string) => void;
  onSwitch: (tool: Tool, enabled: boolean) => void;
};

export const ToolRow = memo(function ToolRow({ tool, index, top, height, onOpen, onSwitch }: Props) {
  const Icon = iconOf(tool);
  const { p50Ms, errorRate, calls7d } = tool.stats;
  const number = "text-end tabular-nums max-lg:hidden";
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      style={{ top, height }}
      className={cx(
        toolColumns,
        "absolute inset-x-0 border-line border-b hover:bg-rail",
        !tool.enabled && "text-ink-3",
      )}
    >
      <span role="cell" className="flex min-w-0 items-center gap-2.5">
        <span aria-hidden className="grid size-6 shrink-0 place-items-center rounded-md bg-sunken text-ink-2">
          <Icon className="size-3.5" />
        </span>
        <a
          href={`/tools/${encodeURIComponent(tool.name)}`}
          onClick={(event) => openHere(event, () => onOpen(tool.name))}
          className="truncate font-medium before:absolute before:inset-0"
        >
          {tool.title}
        </a>
        <span className="truncate font-mono text-ink-3 text-meta max-sm:hidden">{tool.name}</span>
        {tool.file ? <Badge>{t("tools.file")}</Badge> : null}
      </span>
      <span role="cell" className="truncate text-ink-2 max-lg:hidden">
        {[kindText(tool.kind), tool.source].filter(Boolean).join(" · ")}
      </span>
      <span role="cell" className="flex items-center max-md:hidden">
        {tool.requiresApproval ? (
          <Badge tone={tool.level === "destructive" ? "danger" : "ask"}>
            <ShieldCheck aria-hidden />
            {t("tools.asksFirst")}
          </Badge>
        ) : (
          <span className="text-ink-3">{t("tools.runsFreely")}</span>
        )}
      </span>
      <span role="cell" className={number}>
        {count(tool.agents.length)}
      </span>
      <span role="cell" className={number}>
        {count(calls7d)}
      </span>
      <span role="cell" className={number}>
        {p50Ms === null ? "–" : duration(p50Ms)}
      </span>
      <span
        role="cell"
        className={cx(
          "text-end tabular-nums max-md:hidden",
          (errorRate ?? 0) >= HIGH_ERRORS && "text-danger",
        )}
      >
        {errorRate === null ? "–" : percent(errorRate)}
      </span>
      <span role="cell" className="relative flex items-center justify-self-end">
        {tool.mayEdit ? (
          <Toggle
            checked={tool.enabled}
            label={t("tools.switch", { title: tool.title })}
            disabled={Boolean(tool.file)}
            onChange={(enabled) => onSwitch(tool, enabled)}
          />
        ) : (
          <span className="text-ink-3 text-small">{tool.enabled ? t("tools.isOn") : t("tools.isOff")}</span>
        )}
      </span>
    </div>
  );
});

/** A plain click opens the drawer; with a modifier it stays a link. Lighter than a router link in each row. */
function openHere(event: MouseEvent, open: () => void): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open();
}
