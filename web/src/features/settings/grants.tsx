import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { grantsQuery, revokeGrant } from "@/api/grants";
import type { Grant } from "@/api/types";
import { Button } from "@/components/button";
import { Failed, Loading } from "@/components/page-state";
import { announce } from "@/lib/announce";
import { errorText } from "@/lib/error-text";
import { fromNow, longTime } from "@/lib/format";
import { t } from "@/lib/t";
import { grantText } from "./grant-text";

/** The approvals that are for later calls too, each of which can be taken back. */
export function Grants() {
  const client = useQueryClient();
  const region = useRef<HTMLDivElement>(null);
  const { data: grants, error, refetch } = useQuery(grantsQuery);
  const revoke = useMutation({
    mutationFn: (grant: Grant) => revokeGrant(grant.id),
    onSuccess: (_, grant) => {
      announce(t("grants.gone"));
      client.setQueryData(grantsQuery.queryKey, (all) => all?.filter((each) => each.id !== grant.id));
      // The button that had the focus is gone with its line.
      region.current?.focus();
    },
    onSettled: () => void client.invalidateQueries({ queryKey: grantsQuery.queryKey }),
  });
  if (error) return <Failed text={errorText(error)} onRetry={() => void refetch()} />;
  if (!grants) return <Loading />;
  return (
    <div ref={region} tabIndex={-1} className="grid gap-3 outline-none">
      {grants.length === 0 ? <p className="text-ink-2">{t("grants.none")}</p> : null}
      <ul className="divide-y divide-line empty:hidden">
        {grants.map((grant) => (
          <li key={grant.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <span className="min-w-0 flex-1 basis-56 break-words">
              {grantText(grant)}{" "}
              <time
                dateTime={grant.createdAt}
                title={longTime(grant.createdAt)}
                className="ms-1 text-ink-3 text-small"
              >
                {fromNow(grant.createdAt)}
              </time>
              {grant.conversationId ? (
                <Link
                  to="/chat/$conversationId"
                  params={{ conversationId: grant.conversationId }}
                  className="ms-2 text-accent-text underline underline-offset-2"
                >
                  {t("grants.openConversation")}
                </Link>
              ) : null}
            </span>
            <Button
              size="sm"
              disabled={revoke.isPending}
              aria-label={t("grants.revokeLabel", { sentence: grantText(grant) })}
              onClick={() => revoke.mutate(grant)}
            >
              {t("grants.revoke")}
            </Button>
          </li>
        ))}
      </ul>
      {revoke.isError ? (
        <p role="alert" className="text-danger">
          {errorText(revoke.error)}
        </p>
      ) : null}
    </div>
  );
}
