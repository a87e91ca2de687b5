import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { isAdmin, sessionQuery } from "@/api/session";
import { PageHeader } from "@/components/page-header";
import { Empty } from "@/components/page-state";
import { t } from "@/lib/t";

/** The page, or who may see it. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  if (isAdmin(session)) return children;
  return (
    <main id="main" className="min-h-0 flex-1 overflow-y-auto">
      <PageHeader title={t("nav.audit")} />
      <Empty icon={<ShieldCheck aria-hidden />} title={t("audit.notYours")} text={t("audit.notYoursText")} />
    </main>
  );
}
