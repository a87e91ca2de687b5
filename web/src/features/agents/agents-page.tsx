import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Bot, MessageSquare } from "lucide-react";
import { agentsQuery } from "@/api/agents";
import { setupQuery } from "@/api/setup";
import type { Agent } from "@/api/types";
import { Badge } from "@/components/badge";
import { buttonClass } from "@/components/button";
import { PageHeader } from "@/components/page-header";
import { Empty, Failed, Loading } from "@/components/page-state";
import { cx } from "@/lib/cx";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";

export function AgentsPage() {
  const { data: agents, error, refetch } = useQuery(agentsQuery);
  const { data: setup } = useQuery(setupQuery);
  if (error) return <Failed text={errorText(error)} onRetry={() => void refetch()} />;
  if (!agents) return <Loading />;
  const noModel = setup?.languageModel.configured === false;
  return (
    <main id="main" className="min-h-0 flex-1 overflow-y-auto">
      <PageHeader title={t("nav.agents")} count={agents.length} />
      {agents.length === 0 ? (
        <Empty icon={<Bot aria-hidden />} title={t("agents.none")} text={t("agents.noneText")} />
      ) : null}
      <ul className="mx-auto grid max-w-[960px] grid-cols-[minmax(0,1fr)] gap-3 px-4 py-6">
        {agents.map((agent) => (
          <AgentItem key={agent.name} agent={agent} noModel={noModel} />
        ))}
      </ul>
    </main>
  );
}

function AgentItem({ agent, noModel }: { agent: Agent; noModel: boolean }) {
  return (
    <li className="grid gap-3 rounded-xl border border-line p-4">
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="flex flex-wrap items-baseline gap-x-2 font-semibold">
            {agent.title}
            <span className="font-mono font-normal text-ink-3 text-meta">{agent.name}</span>
          </h2>
          <p className="text-ink-2">{agent.description}</p>
        </div>
        {noModel ? (
          <Link to="/settings" className={buttonClass("secondary")}>
            {t("agents.addModel")}
          </Link>
        ) : (
          <Link to="/" search={{ agent: agent.name }} className={buttonClass("primary")}>
            <MessageSquare aria-hidden />
            {t("agents.chat")}
          </Link>
        )}
      </div>
      <p className="flex flex-wrap items-center gap-2 text-ink-2 text-small">
        {agent.model ? <Badge>{agent.model}</Badge> : <Badge tone="ask">{t("agents.noModel")}</Badge>}
        {t("agents.toolCount", { count: agent.tools.length })}
      </p>
      <ul className="flex flex-wrap gap-1.5">
        {agent.tools.map((tool) => (
          <li key={tool.name}>
            <Link
              to="/tools/$name"
              params={{ name: tool.name }}
              className={cx(
                "inline-flex h-6 items-center gap-1.5 rounded-md border border-line px-2 text-small hover:bg-hover",
                tool.level === "destructive" && "text-danger",
              )}
            >
              {tool.title}
              {tool.level === "read_only" ? null : (
                <span className="text-ink-3 text-meta">{t(`level.${tool.level}`)}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}
