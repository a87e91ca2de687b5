import { useQuery } from "@tanstack/react-query";
import { Database, ShieldCheck, Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { type GuardedPage, mayOpen, sessionQuery } from "@/api/session";
import { PageHeader } from "@/components/page-header";
import { Empty } from "@/components/page-state";
import { t } from "@/lib/t";

const icons = { audit: ShieldCheck, data: Database, events: Webhook };

/** A page for those who have it; for others, who has it. */
export function OnlyFor({ page, children }: { page: GuardedPage; children: ReactNode }) {
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  if (mayOpen(session, page)) return children;
  const Icon = icons[page];
  return (
    <main id="main" className="min-h-0 flex-1 overflow-y-auto">
      <PageHeader title={t(`nav.${page}`)} />
      <Empty icon={<Icon aria-hidden />} title={t(`${page}.notYours`)} text={t(`${page}.notYoursText`)} />
    </main>
  );
}
