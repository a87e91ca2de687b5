import { CircleCheck, TriangleAlert, X } from "lucide-react";
import type { AuditFilter } from "@/api/audit-filter";
import type { Verification } from "@/api/types";
import { Button } from "@/components/button";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import { ChainProblems } from "./chain-problems";
import { verifiedText } from "./chain-text";

type Props = { found: Verification; isHeadChecked: boolean; filter: AuditFilter; onClose: () => void };

/** What a check of the chain found. */
export function Verified({ found, isHeadChecked, filter, onClose }: Props) {
  const Icon = found.ok ? CircleCheck : TriangleAlert;
  return (
    <div
      data-verified={found.ok ? "whole" : "broken"}
      className={cx(
        "flex items-start gap-2 px-4 py-1.5",
        found.ok ? "bg-good-soft text-good" : "bg-danger-soft text-danger",
      )}
    >
      <Icon aria-hidden className="mt-1.5 size-4 shrink-0" />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)] gap-1 py-1">
        <p className="font-medium">{verifiedText(found)}</p>
        {found.ok ? (
          <>
            {isHeadChecked ? <p>{t("audit.wholeHead")}</p> : null}
            {found.erased > 0 ? <p>{t("audit.wholeErased", { count: found.erased })}</p> : null}
          </>
        ) : (
          <ChainProblems problems={found.problems} filter={filter} />
        )}
      </div>
      <Button
        variant="ghost"
        size="icon"
        className="text-current"
        aria-label={t("action.close")}
        onClick={onClose}
      >
        <X aria-hidden />
      </Button>
    </div>
  );
}
