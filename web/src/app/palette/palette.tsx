import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Keyboard, MessageSquare, Plus, Wrench } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useConversations } from "@/api/conversations";
import { toolsQuery } from "@/api/tools";
import { Modal } from "@/components/modal";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import { usePages } from "../use-pages";
import { type Command, matchingCommands } from "./commands";

export function Palette({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) {
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  const id = useId();
  const commands = matchingCommands(useCommands(onKeys), typed);
  const current = commands[Math.min(active, commands.length - 1)];
  useEffect(() => {
    if (current) document.getElementById(`${id}-${current.id}`)?.scrollIntoView({ block: "nearest" });
  }, [current, id]);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && commands.length > 0) {
      event.preventDefault();
      setActive((Math.min(active, commands.length - 1) + step + commands.length) % commands.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(current);
    }
  };
  return (
    <Modal open onClose={onClose} title={t("palette.open")} place="centre" bare>
      <input
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={current ? `${id}-${current.id}` : undefined}
        aria-label={t("palette.label")}
        placeholder={t("palette.placeholder")}
        value={typed}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
        className="h-12 w-full shrink-0 border-line border-b bg-transparent px-4 text-chat outline-none"
      />
      {commands.length === 0 ? <p className="px-4 py-3 text-ink-3">{t("palette.nothing")}</p> : null}
      <div
        id={id}
        role="listbox"
        aria-label={t("palette.open")}
        className="max-h-[50vh] overflow-y-auto p-1.5 empty:hidden"
      >
        {commands.map((command) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the field that owns the list
          <div
            key={command.id}
            id={`${id}-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === current}
            onClick={() => run(command)}
            className={cx(
              "flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 hover:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-3",
              command === current && "bg-hover",
            )}
          >
            <command.icon aria-hidden />
            <span className="min-w-0 flex-1 truncate">{command.title}</span>
            <span className="shrink-0 text-ink-3 text-meta">{command.kind}</span>
          </div>
        ))}
      </div>
    </Modal>
  );
}

function useCommands(onKeys: () => void): Command[] {
  const navigate = useNavigate();
  const pages = usePages();
  const { lines } = useConversations();
  const { data: tools = [] } = useQuery(toolsQuery);
  return [
    {
      id: "new",
      title: t("chat.new"),
      kind: t("palette.action"),
      icon: Plus,
      run: () => void navigate({ to: "/" }),
    },
    ...pages.map((page) => ({
      id: page.label.replace(".", "-"),
      title: t(page.label),
      kind: t("palette.page"),
      icon: page.icon,
      run: () => void navigate({ to: page.to }),
    })),
    { id: "keys", title: t("keys.title"), kind: t("palette.action"), icon: Keyboard, run: onKeys },
    ...lines.map((line) => ({
      id: line.id,
      title: line.title || t("chat.untitled"),
      kind: t("palette.conversation"),
      icon: MessageSquare,
      run: () => void navigate({ to: "/chat/$conversationId", params: { conversationId: line.id } }),
    })),
    ...tools.map((tool) => ({
      id: `tool-${tool.name}`,
      title: tool.title,
      also: tool.name,
      kind: t("palette.tool"),
      icon: Wrench,
      run: () => void navigate({ to: "/tools/$name", params: { name: tool.name }, search: { tab: "test" } }),
    })),
  ];
}
