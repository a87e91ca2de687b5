import type { ApprovalTerms, Tool } from "@/api/types";

const usual: ApprovalTerms = {
  approverRoles: [],
  fourEyes: false,
  edit: false,
  grants: false,
  lifetimeSeconds: null,
};

export const termsOf = (tool: Pick<Tool, "settings">): ApprovalTerms => ({
  ...usual,
  ...tool.settings.approval,
});

const HOUR = 3600;
const LONGEST = 720 * HOUR;

export const hoursOf = (seconds: number | null): string =>
  seconds === null ? "" : String(Math.round((seconds / HOUR) * 10_000) / 10_000);

/** Hours as they are typed, in seconds: null where none are, undefined where they are not fit. */
export function secondsOf(hours: string): number | null | undefined {
  const text = hours.trim().replace(",", ".");
  if (text === "") return null;
  const seconds = Math.round(Number(text) * HOUR);
  return seconds >= 1 && seconds <= LONGEST ? seconds : undefined;
}
