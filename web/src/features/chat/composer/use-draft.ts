import { useState } from "react";

const keyOf = (conversationId: string | undefined) => `toolcrib.draft.${conversationId ?? "new"}`;

function stored(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/** What is typed and not sent yet; a reload keeps it. */
export function useDraft(conversationId: string | undefined): [string, (text: string) => void] {
  const key = keyOf(conversationId);
  const [text, setText] = useState(() => stored(key));
  const change = (next: string) => {
    setText(next);
    try {
      if (next === "") sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, next);
    } catch {
      // Without storage the draft lasts as long as the page.
    }
  };
  return [text, change];
}
