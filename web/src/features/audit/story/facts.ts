import type { AuditPerson, AuditStory } from "@/api/types";
import { toolText } from "@/components/call/tool-text";
import { longTime } from "@/lib/format";
import { personText } from "@/lib/person-text";
import { t } from "@/lib/t";

type Fact = { label: string; value: string };

/** Who asked for a call, how, when and for which tool. */
export function factsOf(story: AuditStory, people: AuditPerson[]): Fact[] {
  const known = people.find((person) => person.id === story.asker.id);
  const person = known ? personText(known) : story.asker.name;
  const facts: [string, string | null][] = [
    [t("audit.who"), story.agent ? t("audit.byAgent", { agent: story.agent }) : person],
    [t("audit.onBehalf"), person],
    [t("audit.credential"), story.credential ? t(`audit.credential.${story.credential}`) : null],
    [t("audit.via"), t(`via.${story.via}`)],
    [t("audit.conversation"), story.conversationId],
    [t("calls.tool"), toolText(story)],
    [t("tools.level"), story.level ? t(`level.${story.level}`) : null],
    [t("audit.covered"), story.grantId ? t("audit.coveredText") : null],
    [t("calls.started"), longTime(story.startedAt)],
    [t("calls.ended"), story.endedAt ? longTime(story.endedAt) : null],
    [t("audit.id"), story.id],
  ];
  return facts.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}
