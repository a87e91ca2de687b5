import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useConversations } from "@/api/conversations";
import type { ConversationLine } from "@/api/types";
import { Button, buttonClass } from "@/components/button";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import { groupByDay } from "./group-by-day";

export function Sidebar({ onNavigate }: { onNavigate?: () => void }) {
  const { lines, more } = useConversations();
  return (
    <nav aria-label={t("chat.conversations")} className="flex min-h-0 flex-1 flex-col bg-rail">
      <div className="p-2.5">
        <Link to="/" onClick={onNavigate} className={cx(buttonClass("secondary"), "w-full")}>
          <Plus aria-hidden />
          {t("chat.new")}
        </Link>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-4">
        {groupByDay(lines).map((group) => (
          <section key={group.key} aria-label={t(group.key)}>
            <h2 className="px-2 pt-2.5 pb-1 font-medium text-ink-3 text-meta">{t(group.key)}</h2>
            <ul>
              {group.items.map((line) => (
                <li key={line.id}>
                  <ConversationLink line={line} onNavigate={onNavigate} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {more ? (
          <Button variant="ghost" size="sm" className="mt-2" onClick={more}>
            {t("action.more")}
          </Button>
        ) : null}
      </div>
    </nav>
  );
}

function ConversationLink({
  line,
  onNavigate,
}: {
  line: ConversationLine;
  onNavigate: (() => void) | undefined;
}) {
  return (
    <Link
      to="/chat/$conversationId"
      params={{ conversationId: line.id }}
      onClick={onNavigate}
      className="flex h-8 items-center gap-2 rounded-md px-2 text-ink-2 hover:bg-hover data-[status=active]:bg-hover data-[status=active]:font-medium data-[status=active]:text-ink"
    >
      <span className="min-w-0 flex-1 truncate" dir="auto">
        {line.title || t("chat.untitled")}
      </span>
      {line.state === "waiting" ? <Dot className="bg-ask" label={t("chat.isWaiting")} /> : null}
      {line.state === "running" ? <Dot className="pulse bg-accent" label={t("chat.isRunning")} /> : null}
    </Link>
  );
}

function Dot({ className, label }: { className: string; label: string }) {
  return (
    <span className={cx("size-2 shrink-0 rounded-full", className)}>
      <span className="sr-only">{label}</span>
    </span>
  );
}
