import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Webhook } from "lucide-react";
import { subscribersQuery } from "@/api/events";
import { buttonClass } from "@/components/button";
import { Empty, Failed, Loading } from "@/components/page-state";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { SubscriberTable } from "./subscriber-table";

/** Who is told of calls, or asked before them. */
export function SubscriberList() {
  const { data: subscribers, error, refetch } = useQuery(subscribersQuery);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {error ? <Failed text={errorText(error)} onRetry={() => void refetch()} /> : null}
      {subscribers || error ? null : <Loading />}
      {subscribers?.length === 0 ? (
        <Empty icon={<Webhook aria-hidden />} title={t("events.welcome")} text={t("events.welcomeText")}>
          <Link to="/events/new" className={buttonClass("primary")}>
            {t("events.add")}
          </Link>
        </Empty>
      ) : null}
      {subscribers && subscribers.length > 0 ? <SubscriberTable subscribers={subscribers} /> : null}
    </div>
  );
}
