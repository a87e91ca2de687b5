// biome-ignore-all lint/a11y/useSemanticElements: a table element cannot hold rows that are placed by a virtualiser
// biome-ignore-all lint/a11y/useFocusableInteractive: the rows hold links and switches; they are not interactive themselves

import { useNavigate } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useRef } from "react";
import type { Tool } from "@/api/types";
import { cx } from "@/lib/cx";
import { errorText } from "@/lib/error-text";
import { usePreferences } from "@/lib/preferences";
import { t } from "@/lib/t";
import { ToolRow, toolColumns } from "./tool-row";
import { usePatchTool } from "./use-patch-tool";

const ROW = { comfortable: 40, compact: 28 };

/** Only the rows in sight are in the page, so the list may be as long as it likes. */
export function ToolTable({ tools }: { tools: Tool[] }) {
  const region = useRef<HTMLDivElement>(null);
  const { density } = usePreferences();
  const navigate = useNavigate();
  const { mutate, error } = usePatchTool();
  const open = useCallback(
    (name: string) => void navigate({ to: "/tools/$name", params: { name } }),
    [navigate],
  );
  const turn = useCallback((tool: Tool, enabled: boolean) => mutate({ tool, patch: { enabled } }), [mutate]);
  const rows = useVirtualizer({
    count: tools.length,
    getScrollElement: () => region.current,
    estimateSize: () => ROW[density],
    overscan: 8,
    getItemKey: (index) => tools[index]?.name ?? index,
  });
  return (
    <>
      {error ? (
        <p role="alert" className="border-line border-b bg-danger-soft px-4 py-2 text-danger">
          {errorText(error)}
        </p>
      ) : null}
      <div
        ref={region}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
        tabIndex={0}
        role="table"
        aria-label={t("nav.tools")}
        aria-rowcount={tools.length + 1}
        className="min-h-0 flex-1 overflow-y-auto -outline-offset-2"
      >
        <div role="rowgroup" className="sticky top-0 z-10 bg-canvas">
          <div
            role="row"
            aria-rowindex={1}
            className={cx(toolColumns, "h-8 border-line border-b font-medium text-ink-2 text-small")}
          >
            <Heading>{t("tools.tool")}</Heading>
            <Heading className="max-lg:hidden">{t("tools.type")}</Heading>
            <Heading className="max-md:hidden">{t("tools.approval")}</Heading>
            <Heading className="text-end max-lg:hidden">{t("tools.agents")}</Heading>
            <Heading className="text-end max-lg:hidden">{t("tools.calls7d")}</Heading>
            <Heading className="text-end max-lg:hidden">{t("tools.p50")}</Heading>
            <Heading className="text-end max-md:hidden">{t("tools.errors")}</Heading>
            <Heading className="justify-self-end">{t("tools.on")}</Heading>
          </div>
        </div>
        <div role="rowgroup" className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((item) => {
            const tool = tools[item.index];
            return tool ? (
              <ToolRow
                key={item.key}
                tool={tool}
                index={item.index}
                top={item.start}
                height={item.size}
                onOpen={open}
                onSwitch={turn}
              />
            ) : null;
          })}
        </div>
      </div>
    </>
  );
}

function Heading({ children, className }: { children: string; className?: string }) {
  return (
    <span role="columnheader" className={className}>
      {children}
    </span>
  );
}
