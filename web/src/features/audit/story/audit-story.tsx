import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { auditPeopleQuery } from "@/api/audit";
import { sessionQuery } from "@/api/session";
import type { AuditStory } from "@/api/types";
import { Badge } from "@/components/badge";
import { statusText, statusTone } from "@/components/call/call-status";
import { StorySection } from "@/components/call/story-section";
import { Timeline } from "@/components/call/timeline";
import { TrialNote } from "@/components/call/trial-note";
import { WithheldList } from "@/components/call/withheld-list";
import { FieldList } from "@/components/field-list";
import { duration } from "@/lib/format";
import { t } from "@/lib/t";
import { Decision } from "./decision";
import { factsOf } from "./facts";
import { Payload } from "./payload";

/** One call of anybody from the asking to its end, with all that is known of it. */
export function AuditStoryView({ story }: { story: AuditStory }) {
  const { data: session } = useQuery(sessionQuery);
  const { data: people = [] } = useQuery(auditPeopleQuery);
  // A conversation is read only by whose it is.
  const isOwn = session?.user.id === story.asker.id;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={statusTone(story.status)}>{statusText(story.status)}</Badge>
        {story.trial ? <Badge>{t("trial.badge")}</Badge> : null}
        {story.durationMs === null ? null : (
          <span className="text-ink-3 tabular-nums">{duration(story.durationMs)}</span>
        )}
        {story.conversationId && isOwn ? (
          <Link
            to="/chat/$conversationId"
            params={{ conversationId: story.conversationId }}
            className="ms-auto text-accent-text underline underline-offset-2"
          >
            {t("calls.openConversation")}
          </Link>
        ) : null}
      </div>
      <FieldList fields={factsOf(story, people)} />
      {story.error ? (
        <p className="whitespace-pre-wrap break-words rounded-lg bg-danger-soft px-3 py-2 text-danger">
          {story.error}
        </p>
      ) : null}
      {story.trial && !story.erased ? <TrialNote trial={story.trial} /> : null}
      {story.approval ? <Decision approval={story.approval} /> : null}
      <Payload story={story} />
      <StorySection title={t("calls.events")}>
        <Timeline events={story.events} />
      </StorySection>
      {story.withheld.length === 0 ? null : (
        <StorySection title={t("calls.withheld")}>
          <WithheldList withheld={story.withheld} />
        </StorySection>
      )}
    </div>
  );
}
