import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { jumpToPendingCard } from "@/lib/pending-card";
import { usePages } from "./use-pages";

const SECOND_KEY_MS = 900;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable=true]");

const isModalOpen = (): boolean => document.querySelector('[role="dialog"]') !== null;

/** The keys of the whole app. None of them decides anything. */
export function useShortcuts(open: (overlay: "palette" | "keys") => void): void {
  const navigate = useNavigate();
  const pages = usePages();
  const afterG = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented) return;
      const control = event.ctrlKey || event.metaKey;
      if (control && !event.altKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        open("palette");
      } else if (event.altKey && !control && event.code === "KeyA") {
        event.preventDefault();
        if (!jumpToPendingCard()) void navigate({ to: "/approvals" });
      } else if (!control && !event.altKey && !isTyping(event.target) && !isModalOpen()) {
        plainKey(event);
      }
    };
    const plainKey = (event: KeyboardEvent) => {
      const second = performance.now() - afterG.current < SECOND_KEY_MS;
      afterG.current = event.key === "g" && !second ? performance.now() : Number.NEGATIVE_INFINITY;
      const page = second ? pages.find((each) => each.keys?.[1] === event.key) : undefined;
      if (page) {
        event.preventDefault();
        void navigate({ to: page.to });
      } else if (event.key === "?") {
        event.preventDefault();
        open("keys");
      } else if (event.key === "/") focusSlashTarget(event);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [navigate, open, pages]);
}

/** `/` goes to the search field of a page; in a chat it is typed into the composer and opens the tools. */
function focusSlashTarget(event: KeyboardEvent): void {
  const target = document.querySelector<HTMLElement>("[data-slash]");
  if (!target) return;
  if (target.dataset.slash !== "type") event.preventDefault();
  target.focus();
}
