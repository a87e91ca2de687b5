import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { isAdmin, sessionQuery } from "@/api/session";
import { buttonClass } from "@/components/button";
import { PageHeader } from "@/components/page-header";
import { Segmented } from "@/components/segmented";
import { t } from "@/lib/t";

type View = "used" | "policies";

/** The head of both pages, with the way from one to the other for those who have both. */
export function UsageHeader({ view }: { view: View }) {
  const { data: session } = useQuery(sessionQuery);
  const navigate = useNavigate();
  const isForAdmin = session !== undefined && isAdmin(session);
  return (
    <PageHeader title={t("nav.usage")}>
      {isForAdmin ? (
        <Segmented<View>
          label={t("usage.view")}
          hideLabel
          value={view}
          options={[
            { value: "used", label: t("usage.used") },
            { value: "policies", label: t("usage.policies") },
          ]}
          onChange={(next) =>
            void navigate({ to: next === "used" ? "/usage" : "/usage/policies", replace: true })
          }
        />
      ) : null}
      {isForAdmin && view === "policies" ? (
        <Link to="/usage/policies/new" className={`ms-auto ${buttonClass("primary")}`}>
          <Plus aria-hidden />
          <span className="max-sm:sr-only">{t("usage.add")}</span>
        </Link>
      ) : null}
    </PageHeader>
  );
}
