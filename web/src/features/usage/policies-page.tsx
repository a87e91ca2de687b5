import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { ChartColumn } from "lucide-react";
import { isAdmin, sessionQuery } from "@/api/session";
import { Empty } from "@/components/page-state";
import { t } from "@/lib/t";
import { PolicyList } from "./policies/policy-list";
import { UsageHeader } from "./usage-header";

/** How much of language models there may be, and for whom. */
export function PoliciesPage() {
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  const isYours = isAdmin(session);
  return (
    <>
      <main id="main" className="min-h-0 flex-1 overflow-y-auto">
        <UsageHeader view="policies" />
        {isYours ? (
          <PolicyList />
        ) : (
          <Empty
            icon={<ChartColumn aria-hidden />}
            title={t("usage.notYours")}
            text={t("usage.notYoursText")}
          />
        )}
      </main>
      {isYours ? <Outlet /> : null}
    </>
  );
}
