import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Gauge } from "lucide-react";
import { policiesQuery } from "@/api/usage";
import { buttonClass } from "@/components/button";
import { Empty, Failed, Loading } from "@/components/page-state";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { PolicyTable } from "./policy-table";

/** All policies, and how they go together. */
export function PolicyList() {
  const { data: policies, error, refetch } = useQuery(policiesQuery);
  return (
    <>
      {error ? <Failed text={errorText(error)} onRetry={() => void refetch()} /> : null}
      {policies || error ? null : <Loading />}
      {policies?.length === 0 ? (
        <Empty icon={<Gauge aria-hidden />} title={t("usage.welcome")} text={t("usage.welcomeText")}>
          <Link to="/usage/policies/new" className={buttonClass("primary")}>
            {t("usage.add")}
          </Link>
        </Empty>
      ) : null}
      {policies && policies.length > 0 ? (
        <>
          <p className="max-w-3xl px-4 py-3 text-ink-2">{t("usage.explained")}</p>
          <PolicyTable policies={policies} />
        </>
      ) : null}
    </>
  );
}
