import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { renameConversation } from "@/api/conversations";
import type { Agent } from "@/api/types";
import { Badge } from "@/components/badge";
import { Button } from "@/components/button";
import { Input } from "@/components/field";
import { t } from "@/lib/t";
import { SidebarButton } from "./sidebar/sidebar-button";

const DeleteDialog = lazy(() =>
  import("./delete-dialog").then((module) => ({ default: module.DeleteDialog })),
);

type Props = { id: string; title: string; agent: Agent | undefined; onRenamed: (title: string) => void };

export function ConversationHeader({ id, title, agent, onRenamed }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState<string | null>(null);
  const [deleting, setDeleting] = useState(false);
  const rename = useMutation({
    mutationFn: (next: string) => renameConversation(id, next),
    onSuccess: (_, next) => {
      onRenamed(next);
      return client.invalidateQueries({ queryKey: ["conversations"] });
    },
  });
  const finish = () => {
    const next = draft?.trim();
    if (next && next !== title) rename.mutate(next);
    setDraft(null);
  };
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-line border-b px-3">
      <SidebarButton />
      {draft === null ? (
        <h1 className="min-w-0 truncate font-semibold" dir="auto">
          {title || t("chat.untitled")}
        </h1>
      ) : (
        <Input
          autoFocus
          className="max-w-80"
          aria-label={t("chat.titleLabel")}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={finish}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === "Enter") finish();
            if (event.key === "Escape") setDraft(null);
          }}
        />
      )}
      {agent ? <Badge tone="accent">{agent.title}</Badge> : null}
      <span className="ms-auto" />
      {agent ? (
        <span className="me-1 truncate text-ink-3 text-small max-md:hidden">
          {[agent.model, t("agents.toolCount", { count: agent.tools.length })].filter(Boolean).join(" · ")}
        </span>
      ) : null}
      <Button
        variant="ghost"
        size="icon"
        aria-label={t("chat.rename")}
        title={t("chat.rename")}
        onClick={() => setDraft(title)}
      >
        <Pencil aria-hidden />
      </Button>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t("chat.delete")}
        title={t("chat.delete")}
        onClick={() => setDeleting(true)}
      >
        <Trash2 aria-hidden />
      </Button>
      {deleting ? (
        <Suspense>
          <DeleteDialog
            id={id}
            title={title}
            onClose={() => setDeleting(false)}
            onDeleted={() => void navigate({ to: "/" })}
          />
        </Suspense>
      ) : null}
    </header>
  );
}
