import type { AuditStory } from "@/api/types";
import { holds, RESTRICTED } from "@/lib/marks";

/** Whether values of a call stand here only as `[restricted]`. */
export const hasMasked = ({ arguments: asked, output, error, approval, trial }: AuditStory): boolean =>
  holds([asked, output, error, approval, trial], RESTRICTED);
