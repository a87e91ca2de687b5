import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { callQuery } from "@/api/calls";
import type { CallEvent, CallStory } from "@/api/types";
import { ApprovalCard } from "@/components/approval/approval-card";
import { Badge } from "@/components/badge";
import { FieldList } from "@/components/field-list";
import { JsonView } from "@/components/json-view";
import { Failed, Loading } from "@/components/page-state";
import { ResultView } from "@/components/result/result-view";
import { errorText } from "@/lib/error-text";
import { duration, longTime } from "@/lib/format";
import { humanise } from "@/lib/labels";
import { t } from "@/lib/t";
import { isUnfinished, statusText, statusTone } from "./call-status";
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
      <Section title={t("calls.events")}>
        <Timeline events={call.events} />
      </Section>
      {call.withheld.length === 0 ? null : (
        <Section title={t("calls.withheld")}>
          <WithheldList withheld={call.withheld} />
        </Section>
      )}
      <Section title={t("form.arguments")}>
        <JsonView value={call.arguments} label={t("form.arguments")} className="max-h-72" />
      </Section>
      {call.output === null ? null : (
        <Section title={t("result.label")}>
          <ResultView value={call.output} />
        </Section>
      )}
    </div>
  );
}

function facts(call: CallStory) {
  const fields = [
    { label: t("calls.tool"), value: t("calls.toolVersion", { name: call.tool, version: call.toolVersion }) },
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

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2">
      <h3 className="font-medium text-small">{title}</h3>
      {children}
    </section>
  );
}

function Timeline({ events }: { events: CallEvent[] }) {
  return (
    <ol className="ms-1 border-line border-s">
      {events.map((event) => (
        <li key={`${event.state}${event.at}`} className="relative grid gap-0.5 py-1.5 ps-4">
          <span
            aria-hidden
            className="absolute -start-[4.5px] top-3 size-2 rounded-full bg-field-line ring-2 ring-canvas"
          />
          <span className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{humanise(event.state)}</span>
            {event.by ? <span className="text-ink-2">{t("calls.by", { who: event.by })}</span> : null}
            <time dateTime={event.at} className="ms-auto text-ink-3 text-small tabular-nums">
              {longTime(event.at)}
            </time>
          </span>
          {event.reason ? <span className="break-words text-ink-2">{event.reason}</span> : null}
        </li>
      ))}
    </ol>
  );
}
