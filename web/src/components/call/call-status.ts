import type { CallStatus } from "@/api/types";
import type { Tone } from "@/components/badge";
import { t } from "@/lib/t";

export const callStatuses = [
  "waiting",
  "running",
  "succeeded",
  "failed",
  "refused",
  "rejected",
  "expired",
  "superseded",
  "cancelled",
  "not_started",
  "unknown",
] as const satisfies CallStatus[];

export const statusText = (status: CallStatus): string => t(`status.${status}`);

const tones: Partial<Record<CallStatus, Tone>> = {
  waiting: "ask",
  succeeded: "good",
  failed: "danger",
  refused: "danger",
  unknown: "danger",
};
export const statusTone = (status: CallStatus): Tone => tones[status] ?? "plain";

const unfinished: ReadonlySet<CallStatus> = new Set(["asked", "waiting", "approved", "running", "ran"]);
export const isUnfinished = (status: CallStatus): boolean => unfinished.has(status);

/** Statuses that mean the call did not do what was asked, and why is worth a look. */
const unhappy: ReadonlySet<CallStatus> = new Set(["failed", "refused", "unknown"]);
export const isUnhappy = (status: CallStatus): boolean => unhappy.has(status);
