import { CircleAlert } from "lucide-react";
import { Spinner } from "@/components/spinner";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import type { Link } from "./chat-session";
import { isEndTold, type Thread } from "./stream/thread";

type Props = { link: Link; thread: Thread; pending: boolean };

/** The last line of a conversation: that an answer is being written, or why it ended early. */
export function RunLine({ link, thread, pending }: Props) {
  const { end } = thread;
  if (link !== "closed" && !pending)
    return (
      <p className="mt-4 flex items-center gap-2 text-ink-3">
        <Spinner />
        {link === "reconnecting" ? t("chat.reconnecting") : t("chat.working")}
      </p>
    );
  if (link !== "closed" || !end) return null;
  if (end.state === "aborted") return <p className="mt-4 text-ink-3">{t("chat.stopped")}</p>;
  if (end.state !== "failed") return null;
  return (
    <p
      role="alert"
      className={cx(
        // What stands in the answer already is said once more, and not shown.
        isEndTold(thread)
          ? "sr-only"
          : "mt-4 flex items-start gap-2 rounded-lg bg-danger-soft px-3 py-2 text-danger",
      )}
    >
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">{end.error}</span>
    </p>
  );
}
