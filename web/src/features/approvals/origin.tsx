import { Link } from "@tanstack/react-router";
import type { Approval } from "@/api/types";
import { fromNow, longTime } from "@/lib/format";
import { t } from "@/lib/t";

/** Who asked for a call, through whom, when and where. */
export function Origin({ approval }: { approval: Approval }) {
  const { conversation } = approval;
  return (
    <p className="flex flex-wrap items-baseline gap-x-1.5 text-ink-2 text-small">
      <span>
        {approval.agent
          ? t("approvals.askedThrough", { who: approval.asker.name, agent: approval.agent })
          : t("approvals.askedDirectly", { who: approval.asker.name })}
      </span>
      <time dateTime={approval.createdAt} title={longTime(approval.createdAt)} className="text-ink-3">
        {fromNow(approval.createdAt)}
      </time>
      {conversation ? (
        <Link
          to="/chat/$conversationId"
          params={{ conversationId: conversation.id }}
          className="ms-auto text-accent-text underline underline-offset-2"
        >
          {conversation.title || t("chat.untitled")}
        </Link>
      ) : null}
    </p>
  );
}
