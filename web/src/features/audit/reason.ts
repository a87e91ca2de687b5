import type { Call } from "@/api/types";
import { isUnfinished } from "@/components/call/call-status";

/** Why a call did not do what it was asked, in one line. */
export function reasonOf(call: Call): string {
  if (call.status === "succeeded" || isUnfinished(call.status)) return "";
  return (call.error ?? call.approval?.reason ?? "").replace(/\s+/g, " ").trim();
}
