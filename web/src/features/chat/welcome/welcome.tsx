import { useQuery } from "@tanstack/react-query";
import { Check, Circle, KeyRound, Play } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { sessionQuery } from "@/api/session";
import { toolsQuery } from "@/api/tools";
import type { Setup, Tool } from "@/api/types";
import { Button } from "@/components/button";
import { ModelForm } from "@/components/model-form/model-form";
import { Loading } from "@/components/page-state";
import { t } from "@/lib/t";
import { Composer } from "../composer/composer";
import { HandRunView } from "../hand-run-view";
import { SidebarButton } from "../sidebar/sidebar-button";
import { useHandRuns } from "../use-hand-runs";

const ToolPanel = lazy(() =>
  import("../composer/tool-panel").then((module) => ({ default: module.ToolPanel })),
);

/** What the page is while no language model is set: the things that work without one. */
export function Welcome({ setup }: { setup: Setup }) {
  const { data: tools = [] } = useQuery(toolsQuery);
  const { data: session } = useQuery(sessionQuery);
  const hand = useHandRuns(null, []);
  const [open, setOpen] = useState(false);
  const sample = sampleTool(tools);
  const ran = setup.ranATool || hand.runs.length > 0;
  return (
    <>
      <header className="flex h-11 shrink-0 items-center gap-2 border-line border-b px-3 md:hidden">
        <SidebarButton />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid w-full max-w-[812px] grid-cols-[minmax(0,1fr)] gap-6 px-4 py-10">
          <div>
            <h1 className="font-semibold text-[22px] leading-8 tracking-tight">{t("welcome.title")}</h1>
            <p className="mt-1 text-chat text-ink-2">{t("welcome.text", { count: setup.tools })}</p>
          </div>
          <ol className="divide-y divide-line rounded-xl border border-line">
            <Step icon={<Check className="text-good" />} title={t("welcome.started")}>
              {t("welcome.dataIn")} <code className="break-all font-mono text-small">{setup.dataPath}</code>
            </Step>
            <Step
              icon={ran ? <Check className="text-good" /> : <Circle />}
              title={t("welcome.run")}
              action={
                sample && !open ? (
                  <Button variant="primary" onClick={() => setOpen(true)}>
                    <Play aria-hidden />
                    {t("welcome.runTool", { title: sample.title })}
                  </Button>
                ) : null
              }
              below={
                sample && open ? (
                  <Suspense fallback={<Loading />}>
                    <ToolPanel
                      tool={sample}
                      conversationId={undefined}
                      onClose={() => setOpen(false)}
                      onCalled={hand.add}
                    />
                  </Suspense>
                ) : null
              }
            >
              {setup.sample ? t("welcome.runSample") : t("welcome.runText")}
            </Step>
            <Step
              icon={<KeyRound />}
              title={t("welcome.model")}
              below={session?.mayEdit ? <ModelForm current={setup.languageModel} /> : null}
            >
              {session?.mayEdit === false ? t("welcome.modelAsk") : t("welcome.modelText")}
            </Step>
          </ol>
          {hand.runs.map((run) => (
            <HandRunView key={run.call.id} call={run.call} onDismiss={hand.dismiss} />
          ))}
        </div>
      </div>
      <div className="mx-auto w-full max-w-[812px] px-4 pb-4">
        <Composer
          placeholder={t("composer.handOnly")}
          chat={false}
          busy={false}
          restored={null}
          buttons={[]}
          onSend={noop}
          onStop={noop}
          onCalled={hand.add}
          onRestored={noop}
        />
      </div>
    </>
  );
}

const noop = () => undefined;

/** A tool to begin with: one that only reads, and preferably one of records. */
function sampleTool(tools: Tool[]): Tool | undefined {
  const harmless = tools.filter((tool) => tool.enabled && tool.level === "read_only");
  const wanted = ["search_records", "read_record", "list_models"];
  const found = wanted.map((name) => harmless.find((tool) => tool.name === name)).find(Boolean);
  return found ?? harmless[0];
}

type StepProps = {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  action?: ReactNode;
  below?: ReactNode;
};

function Step({ icon, title, children, action, below }: StepProps) {
  return (
    <li className="px-4 py-3.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span aria-hidden className="grid size-5 shrink-0 place-items-center text-ink-3 [&_svg]:size-[18px]">
          {icon}
        </span>
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="font-medium">{title}</h2>
          <p className="text-ink-2">{children}</p>
        </div>
        {action}
      </div>
      {below ? <div className="mt-3 sm:ps-8">{below}</div> : null}
    </li>
  );
}
