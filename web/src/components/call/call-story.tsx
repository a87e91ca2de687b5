import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { callQuery } from "@/api/calls";
import type { CallStory } from "@/api/types";
import { ApprovalCard } from "@/components/approval/approval-card";
import { Badge } from "@/components/badge";
import { FieldList } from "@/components/field-list";
import { JsonView } from "@/components/json-view";
import { Failed, Loading } from "@/components/page-state";
import { ResultView } from "@/components/result/result-view";
import { errorText } from "@/lib/error-text";
import { duration, longTime } from "@/lib/format";
import { t } from "@/lib/t";
import { isUnfinished, statusText, statusTone } from "./call-status";
import { ExportLinks } from "./export-links";
import { isExport } from "./is-export";
import { StorySection } from "./story-section";
import { Timeline } from "./timeline";
import { toolText } from "./tool-text";
import { TrialNote } from "./trial-note";
import { WithheldList } from "./withheld-list";

/** One call from the asking to its end, with every state it went through. */
export function CallStoryView({ id }: { id: string }) {
  const client = useQueryClient();
  const {
    data: call,
    error,
    refetch,
  } = useQuery({
    ...callQuery(id),
    refetchInterval: ({ state }) => (state.data && isUnfinished(state.data.status) ? 3_000 : false),
  });
  if (error) return <Failed text={errorText(error)} onRetry={() => void refetch()} />;
  if (!call) return <Loading />;
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={statusTone(call.status)}>{statusText(call.status)}</Badge>
        {call.durationMs === null ? null : (
          <span className="text-ink-3 tabular-nums">{duration(call.durationMs)}</span>
        )}
        {call.conversationId ? (
          <Link
            to="/chat/$conversationId"
            params={{ conversationId: call.conversationId }}
            className="ms-auto text-accent-text underline underline-offset-2"
          >
            {t("calls.openConversation")}
          </Link>
        ) : null}
      </div>
      {call.trial ? <TrialNote trial={call.trial} /> : null}
      <FieldList fields={facts(call)} />
      {call.approval ? (
        <ApprovalCard
          approval={call.approval}
          onDecided={() => void client.invalidateQueries({ queryKey: ["call", id] })}
        />
      ) : null}
      {call.error ? (
        <p className="whitespace-pre-wrap break-words rounded-lg bg-danger-soft px-3 py-2 text-danger">
          {call.error}
        </p>
      ) : null}
      <StorySection title={t("calls.events")}>
        <Timeline events={call.events} />
      </StorySection>
      {call.withheld.length === 0 ? null : (
        <StorySection title={t("calls.withheld")}>
          <WithheldList withheld={call.withheld} />
        </StorySection>
      )}
      <StorySection title={t("form.arguments")}>
        <JsonView value={call.arguments} label={t("form.arguments")} className="max-h-72" />
      </StorySection>
      {call.output === null ? null : (
        <StorySection title={t("result.label")}>
          <ResultView value={call.output} />
          {isExport(call) ? <ExportLinks callId={call.id} /> : null}
        </StorySection>
      )}
    </div>
  );
}

function facts(call: CallStory) {
  const fields = [
    { label: t("calls.tool"), value: toolText(call) },
    { label: t("calls.askedBy"), value: call.asker.name },
    {
      label: t("calls.via"),
      value: call.agent ? t("calls.viaAgent", { agent: call.agent }) : t(`via.${call.via}`),
    },
    { label: t("calls.started"), value: longTime(call.startedAt) },
  ];
  if (call.endedAt) fields.push({ label: t("calls.ended"), value: longTime(call.endedAt) });
  return fields;
}
