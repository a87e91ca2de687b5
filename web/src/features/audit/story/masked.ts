import type { AuditStory } from "@/api/types";

/** Whether values of a call stand here only as `[restricted]`. */
export const hasMasked = ({ arguments: asked, output, error, approval, trial }: AuditStory): boolean =>
  JSON.stringify([asked, output, error, approval, trial]).includes("[restricted]");
