import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { mayOpen, sessionQuery } from "@/api/session";
import type { Tool, ToolEvents } from "@/api/types";
import { SaveError } from "@/components/save-error";
import { announce } from "@/lib/announce";
import { t } from "@/lib/t";
import { Editable } from "../editable";
import { EventsForm } from "../events/events-form";
import { eventsOf } from "../events/switches";
import { usePatchTool } from "../use-patch-tool";

/** Whether subscribers hear of the calls of this tool. */
export function EventsTab({ tool }: { tool: Tool }) {
  const patch = usePatchTool();
  const { data: session } = useQuery(sessionQuery);
  const saved = eventsOf(tool);
  const save = (events: ToolEvents) =>
    patch.mutate(
      { tool, patch: { settings: { ...tool.settings, events } } },
      { onSuccess: () => announce(t("toolEvents.saved", { title: tool.title })) },
    );
  return (
    <div className="grid gap-5">
      <p className="text-ink-2">
        {t("toolEvents.text")}{" "}
        {session && mayOpen(session, "events") ? (
          <Link to="/events" className="text-accent-text underline underline-offset-2">
            {t("toolEvents.openPage")}
          </Link>
        ) : null}
      </p>
      <SaveError error={patch.error} />
      <Editable tool={tool}>
        <EventsForm
          key={JSON.stringify([tool.file, saved])}
          events={saved}
          isSaving={patch.isPending}
          onSave={tool.file ? null : save}
        />
      </Editable>
    </div>
  );
}
