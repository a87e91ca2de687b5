import { useQuery } from "@tanstack/react-query";
import { ArrowUp, Square, SquareSlash } from "lucide-react";
import { type KeyboardEvent, lazy, Suspense, useEffect, useId, useRef, useState } from "react";
import { toolsQuery } from "@/api/tools";
import type { AgentTool, Call, Tool } from "@/api/types";
import { Button } from "@/components/button";
import { Loading } from "@/components/page-state";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import { ToolButtons } from "./tool-buttons";
import { matching, ToolPicker } from "./tool-picker";
import { useDraft } from "./use-draft";

const ToolPanel = lazy(() => import("./tool-panel").then((module) => ({ default: module.ToolPanel })));

type Props = {
  placeholder: string;
  /** Whether there is an agent to talk to; without one, tools can still be run by hand. */
  chat: boolean;
  busy: boolean;
  restored: string | null;
  buttons: AgentTool[];
  conversationId?: string | undefined;
  onSend: (text: string) => void;
  onStop: () => void;
  onCalled: (call: Call) => void;
  onRestored: () => void;
};

export function Composer(props: Props) {
  const { placeholder, chat, busy, restored, buttons, conversationId, onSend, onStop, onCalled, onRestored } =
    props;
  const [text, setText] = useDraft(conversationId);
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState(false);
  const [tool, setTool] = useState<Tool | null>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const taken = useRef<string | null>(null);
  const listId = useId();
  const { data: tools = [] } = useQuery(toolsQuery);
  const picking = text.startsWith("/") && !text.includes("\n") && !dismissed;
  const options = picking ? matching(tools, text.slice(1)) : [];
  const chosen = options[Math.min(active, options.length - 1)];

  useEffect(() => {
    if (restored === null) taken.current = null;
    if (restored === null || taken.current === restored) return;
    taken.current = restored;
    setText(text === "" ? restored : `${restored}\n${text}`);
    onRestored();
  });
  useEffect(() => {
    if (!tool && !window.matchMedia("(pointer: coarse)").matches) box.current?.focus();
  }, [tool]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useEffect(() => {
    const element = box.current;
    if (!element || CSS.supports("field-sizing", "content")) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, 240)}px`;
  }, [text, tool]);

  const pick = (next: Tool | undefined) => {
    if (!next) return;
    setText("");
    setTool(next);
  };
  const submit = () => {
    const trimmed = text.trim();
    if (trimmed === "" || busy || !chat) return;
    setText("");
    onSend(trimmed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends an input method's composition chooses a word; it does not send.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (picking && step && options.length > 0) {
      event.preventDefault();
      setActive((options.indexOf(chosen ?? (options[0] as Tool)) + step + options.length) % options.length);
    } else if (picking && event.key === "Escape") {
      event.preventDefault();
      setDismissed(true);
    } else if (picking && (event.key === "Enter" || event.key === "Tab") && chosen) {
      event.preventDefault();
      pick(chosen);
    } else if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      submit();
    }
  };

  const frame = "rounded-xl border border-field-line bg-canvas shadow-lift";
  if (tool)
    return (
      <div className={cx(frame, "max-h-[62vh] overflow-y-auto p-3.5")}>
        <Suspense fallback={<Loading />}>
          <ToolPanel
            key={tool.name}
            tool={tool}
            conversationId={conversationId}
            onClose={() => setTool(null)}
            onCalled={onCalled}
          />
        </Suspense>
      </div>
    );
  return (
    <div className="relative">
      {picking ? (
        <ToolPicker
          id={listId}
          options={options}
          active={chosen}
          loading={tools.length === 0}
          onPick={pick}
        />
      ) : null}
      <div className={cx(frame, "focus-within:border-accent")}>
        <textarea
          ref={box}
          rows={1}
          dir="auto"
          value={text}
          data-slash="type"
          aria-label={t("composer.label")}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={picking ? listId : undefined}
          aria-activedescendant={picking && chosen ? `${listId}-${chosen.name}` : undefined}
          placeholder={placeholder}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
            setDismissed(false);
          }}
          className="block max-h-60 w-full resize-none [field-sizing:content] bg-transparent px-3.5 pt-3 pb-1 text-chat outline-none"
        />
        <div className="flex items-center gap-1 p-2">
          <Button
            variant="ghost"
            size="sm"
            className="text-base"
            onClick={() => openPicker(setText, setDismissed, box.current)}
          >
            <SquareSlash aria-hidden />
            {t("composer.runTool")}
          </Button>
          <ToolButtons buttons={buttons} tools={tools} onPick={pick} />
          <span className="ms-auto" />
          {busy ? (
            <Button
              variant="secondary"
              size="icon"
              aria-label={t("composer.stop")}
              title={t("composer.stop")}
              onClick={onStop}
            >
              <Square aria-hidden className="fill-current" />
            </Button>
          ) : null}
          {chat && !busy ? (
            <Button
              variant="primary"
              size="icon"
              aria-label={t("composer.send")}
              disabled={text.trim() === "" || picking}
              onClick={submit}
            >
              <ArrowUp aria-hidden />
            </Button>
          ) : null}
        </div>
      </div>
    </div>
  );
}

function openPicker(
  setText: (text: string) => void,
  setDismissed: (dismissed: boolean) => void,
  box: HTMLTextAreaElement | null,
): void {
  setText("/");
  setDismissed(false);
  box?.focus();
}
