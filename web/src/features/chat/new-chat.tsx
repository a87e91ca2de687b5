import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Bot } from "lucide-react";
import { useState } from "react";
import { agentsQuery } from "@/api/agents";
import type { Agent } from "@/api/types";
import { Empty, Failed, Loading } from "@/components/page-state";
import { cx } from "@/lib/cx";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { uuid } from "@/lib/uuid";
import { Composer } from "./composer/composer";
import { HandRunView } from "./hand-run-view";
import { SidebarButton } from "./sidebar/sidebar-button";
import { useNewSession } from "./use-chat-session";
import { useHandRuns } from "./use-hand-runs";

export function NewChat({ wanted }: { wanted: string | undefined }) {
  const { data: agents, error, refetch } = useQuery(agentsQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const hand = useHandRuns(null, []);
  const newSession = useNewSession();
  const navigate = useNavigate();
  if (error) return <Failed text={errorText(error)} onRetry={() => void refetch()} />;
  if (!agents) return <Loading />;
  const agent = agents.find((each) => each.name === (chosen ?? wanted)) ?? agents[0];
  const send = (text: string) => {
    if (!agent) return;
    const id = uuid();
    void newSession(id, agent.name).send(agent.name, text);
    void navigate({ to: "/chat/$conversationId", params: { conversationId: id } });
  };
  return (
    <>
      <header className="flex h-11 shrink-0 items-center gap-2 border-line border-b px-3 md:hidden">
        <SidebarButton />
        <span className="font-semibold">{t("chat.new")}</span>
      </header>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
        <div className="mx-auto my-auto grid w-full max-w-[760px] grid-cols-[minmax(0,1fr)] gap-5 px-4 py-8">
          {agent ? (
            <Opening agents={agents} agent={agent} onChoose={setChosen} onSend={send} />
          ) : (
            <Empty icon={<Bot aria-hidden />} title={t("agents.none")} text={t("agents.noneText")} />
          )}
          {hand.runs.map((run) => (
            <HandRunView key={run.call.id} call={run.call} onDismiss={hand.dismiss} />
          ))}
        </div>
      </div>
      <div className="mx-auto w-full max-w-[760px] px-4 pb-4">
        <Composer
          placeholder={agent ? t("composer.ask", { agent: agent.title }) : t("composer.handOnly")}
          chat={agent !== undefined}
          busy={false}
          restored={null}
          buttons={agent?.tools.filter((tool) => tool.composer) ?? []}
          onSend={send}
          onStop={noop}
          onCalled={hand.add}
          onRestored={noop}
        />
      </div>
    </>
  );
}

const noop = () => undefined;

type OpeningProps = {
  agents: Agent[];
  agent: Agent;
  onChoose: (name: string) => void;
  onSend: (text: string) => void;
};

function Opening({ agents, agent, onChoose, onSend }: OpeningProps) {
  return (
    <>
      {agents.length > 1 ? (
        <fieldset className="flex flex-wrap gap-1.5">
          <legend className="mb-1.5 font-medium text-ink-2 text-small">{t("chat.whichAgent")}</legend>
          {agents.map((each) => (
            <label
              key={each.name}
              className={cx(
                "flex h-8 cursor-pointer items-center rounded-md border px-3 font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent",
                each === agent
                  ? "border-accent bg-accent-soft text-accent-text"
                  : "border-line hover:bg-hover",
              )}
            >
              <input
                type="radio"
                name="agent"
                className="sr-only"
                checked={each === agent}
                onChange={() => onChoose(each.name)}
              />
              {each.title}
            </label>
          ))}
        </fieldset>
      ) : null}
      <div>
        <h1 className="font-semibold text-[22px] leading-8 tracking-tight">
          {t("chat.opening", { agent: agent.title })}
        </h1>
        <p className="mt-1 text-chat text-ink-2">{agent.description}</p>
      </div>
      {agent.suggestions.length > 0 ? (
        <ul aria-label={t("chat.suggestions")} className="grid gap-2 sm:grid-cols-2">
          {agent.suggestions.map((suggestion) => (
            <li key={suggestion}>
              <button
                type="button"
                onClick={() => onSend(suggestion)}
                className="h-full w-full rounded-lg border border-line px-3.5 py-2.5 text-start hover:border-field-line hover:bg-rail"
              >
                {suggestion}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
