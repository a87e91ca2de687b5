import { useState } from "react";
import type { Subscriber } from "@/api/types";
import { draftOf, isSame } from "./draft";

/**
 * What is typed over a subscriber as it was when it was read. A newer version is taken on where nothing
 * is typed that it would drop, or where nothing is different in it.
 */
export function useSubscriberDraft(subscriber: Subscriber) {
  const [base, setBase] = useState(subscriber);
  const [draft, setDraft] = useState(() => draftOf(subscriber));
  const isChanged = !isSame(draft, draftOf(base));
  const restart = (from: Subscriber) => {
    setBase(from);
    setDraft(draftOf(from));
  };
  if (subscriber.version > base.version) {
    if (!isChanged) restart(subscriber);
    else if (isSame(draftOf(subscriber), draftOf(base))) setBase(subscriber);
  }
  return { base, draft, isChanged, setDraft, restart };
}
