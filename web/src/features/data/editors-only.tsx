import { useQuery } from "@tanstack/react-query";
import { Database } from "lucide-react";
import type { ReactNode } from "react";
import { sessionQuery } from "@/api/session";
import { PageHeader } from "@/components/page-header";
import { Empty } from "@/components/page-state";
import { t } from "@/lib/t";

/** The page, or who may see it. */
export function EditorsOnly({ children }: { children: ReactNode }) {
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  if (session.mayEdit) return children;
  return (
    <main id="main" className="min-h-0 flex-1 overflow-y-auto">
      <PageHeader title={t("nav.data")} />
      <Empty icon={<Database aria-hidden />} title={t("data.notYours")} text={t("data.notYoursText")} />
    </main>
  );
}
