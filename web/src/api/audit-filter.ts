import type { SearchSchemaInput } from "@tanstack/react-router";

export const auditFilterKeys = [
  "status",
  "outcome",
  "tool",
  "userId",
  "agent",
  "via",
  "from",
  "to",
  "text",
] as const;

/** Which calls the audit lists, as the address of its page has it. `from` and `to` are days. */
export type AuditFilter = { [Key in (typeof auditFilterKeys)[number]]?: string };

type Search = { [Key in keyof AuditFilter]?: unknown };

/** The filter in an address. A search for 123 arrives there as a number. */
export function readAuditFilter(search: Search & SearchSchemaInput): AuditFilter {
  return withoutEmpty(search);
}

/** A filter that is changed: a state and "refused or failed" each replace the other. */
export function changedFilter(filter: AuditFilter, change: AuditFilter): AuditFilter {
  const next = { ...filter, ...change };
  if (change.status) next.outcome = "";
  if (change.outcome) next.status = "";
  return withoutEmpty(next);
}

function withoutEmpty(search: Search): AuditFilter {
  return Object.fromEntries(
    auditFilterKeys.flatMap((key) => {
      const value = search[key];
      const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
      return text ? [[key, text]] : [];
    }),
  );
}

/** The filter as the server takes it: days of this place become times. */
export function auditParams(filter: AuditFilter): URLSearchParams {
  const params = new URLSearchParams();
  for (const key of auditFilterKeys) {
    const value = filter[key];
    const sent = key === "from" || key === "to" ? timeOf(value, key) : value;
    if (sent) params.set(key, sent);
  }
  return params;
}

/** The beginning or the end of a day; none while its year is still being typed. */
function timeOf(day: string | undefined, side: "from" | "to"): string | undefined {
  if (!day || !/^(19[7-9]|2\d\d)\d-\d\d-\d\d$/.test(day)) return undefined;
  const time = new Date(`${day}T${side === "from" ? "00:00:00.000" : "23:59:59.999"}`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
