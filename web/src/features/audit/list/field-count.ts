import type { AuditFilter } from "@/api/audit-filter";

/** How many of the fields of the filter bar are set. */
export function fieldCount({ text, outcome, ...fields }: AuditFilter): number {
  return Object.keys(fields).length;
}
