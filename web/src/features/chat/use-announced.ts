import { useEffect, useRef } from "react";
import type { Approval } from "@/api/types";
import { cardTitle } from "@/components/approval/card-title";
import { announce } from "@/lib/announce";
import { t } from "@/lib/t";
import type { Link } from "./chat-session";

/** Tells screen readers when an answer starts and ends, and that one waits; never each token. */
export function useAnnounced(link: Link, pending: Approval | undefined): void {
  // The run may have begun before this page was there: a new chat is sent from the start page.
  const before = useRef<Link>("closed");
  useEffect(() => {
    const was = before.current;
    before.current = link;
    if (link !== "closed" && was === "closed") announce(t("chat.answering"));
    else if (link === "closed" && was !== "closed")
      announce(pending ? waitsText(pending) : t("chat.answered"));
  }, [link, pending]);
}

function waitsText({ mayDecide, card }: Approval): string {
  const title = cardTitle(card);
  return mayDecide ? t("chat.waits", { title }) : t("approval.waits", { title });
}
