import { type ReactNode, Suspense } from "react";
import type { Approval } from "@/api/types";
import { JsonView } from "@/components/json-view";
import { fromNow, longTime } from "@/lib/format";
import { holds, WITHHELD } from "@/lib/marks";
import { t } from "@/lib/t";
import { useNow } from "@/lib/use-now";
import { CardBody } from "./card-body";
import { isWhole } from "./card-title";

type Props = { approval: Approval; context?: ReactNode; children: ReactNode };

/** Who decides until when, and what about; of it all, what the reader may read. */
export function CardContent({ approval, context, children }: Props) {
  const { card } = approval;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 px-3.5 py-3">
      <p className="text-ink-2">
        {approval.mayDecide ? t("approval.youMayDecide") : t("approval.othersDecide")}{" "}
        <Expiry at={approval.expiresAt} />
      </p>
      {context}
      {isWhole(card) ? (
        <>
          <CardBody card={card} />
          <details>
            <summary className="w-fit rounded-sm text-ink-2 text-small hover:text-ink">
              {t("approval.exactRequest")}
            </summary>
            <JsonView value={card.arguments} label={t("approval.exactRequest")} className="mt-2 max-h-64" />
          </details>
          {holds(card, WITHHELD) ? (
            <p className="text-ink-3 text-small">{t("approval.withheldParts")}</p>
          ) : null}
        </>
      ) : (
        <p className="text-ink-2">{t("approval.withheldWhole")}</p>
      )}
      <Suspense fallback={null}>{children}</Suspense>
    </div>
  );
}

function Expiry({ at }: { at: string }) {
  const past = useNow(30_000) > Date.parse(at);
  return (
    <time dateTime={at} title={longTime(at)}>
      {past ? t("approval.expiredAgo", { when: fromNow(at) }) : t("approval.expires", { when: fromNow(at) })}
    </time>
  );
}
