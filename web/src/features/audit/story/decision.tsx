import type { Approval } from "@/api/types";
import { CardBody } from "@/components/approval/card-body";
import { isWhole } from "@/components/approval/card-title";
import { EditedArguments } from "@/components/approval/edited-arguments";
import { StorySection } from "@/components/call/story-section";
import { FieldList } from "@/components/field-list";
import { longTime } from "@/lib/format";
import { t } from "@/lib/t";

/** What a call waited for: the card, who decided about it, and why. */
export function Decision({ approval }: { approval: Approval }) {
  const { card, status, decider, decidedAt, reason } = approval;
  const facts = [{ label: t("audit.decision"), value: t(`audit.decision.${status}`) }];
  if (decider) facts.push({ label: t("audit.decider"), value: decider.name });
  if (decidedAt) facts.push({ label: t("audit.decided"), value: longTime(decidedAt) });
  if (reason) facts.push({ label: t("audit.reason"), value: reason });
  return (
    <StorySection title={t("tab.approval")}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line p-3.5">
        <FieldList fields={facts} />
        {isWhole(card) ? (
          <>
            <p className="border-line border-t pt-3 font-medium">{card.title}</p>
            <CardBody card={card} />
            <EditedArguments approval={approval} />
          </>
        ) : null}
      </div>
    </StorySection>
  );
}
