import { useState } from "react";
import type { UsagePolicy } from "@/api/types";
import { draftOf, isSame } from "./draft";

/**
 * What is typed over a policy as it was when it was read. A newer version is taken on where nothing is
 * typed that it would drop, or where nothing is different in it.
 */
export function useLimitsDraft(policy: UsagePolicy) {
  const [base, setBase] = useState(policy);
  const [draft, setDraft] = useState(() => draftOf(policy));
  const isChanged = !isSame(draft, draftOf(base));
  const restart = (from: UsagePolicy) => {
    setBase(from);
    setDraft(draftOf(from));
  };
  if (policy.version > base.version) {
    if (!isChanged) restart(policy);
    else if (isSame(draftOf(policy), draftOf(base))) setBase(policy);
  }
  return { base, draft, isChanged, setDraft, restart };
}
