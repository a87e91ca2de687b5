import { type FormEvent, useState } from "react";
import type { EventSwitch, ToolEvents } from "@/api/types";
import { FormButtons } from "@/components/form-buttons";
import { RadioChoice } from "@/components/radio-choice";
import { t } from "@/lib/t";
import { switches, switchText } from "./switches";

type Props = { events: ToolEvents; isSaving: boolean; onSave: ((events: ToolEvents) => void) | null };

/** Which events the calls of a tool give, and how much they say; only to be read without `onSave`. */
export function EventsForm({ events, isSaving, onSave }: Props) {
  const [draft, setDraft] = useState(events);
  const isChanged = draft.pre !== events.pre || draft.post !== events.post;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged && !isSaving) onSave?.(draft);
  };
  const choice = (moment: keyof ToolEvents) => (
    <RadioChoice<EventSwitch>
      label={t(`toolEvents.${moment}`)}
      hint={t(`toolEvents.${moment}Hint`)}
      value={draft[moment]}
      options={switches.map((value) => ({ value, label: switchText(moment, value) }))}
      onChange={(value) => setDraft({ ...draft, [moment]: value })}
    />
  );
  return (
    <form onSubmit={submit} aria-label={t("toolEvents.title")} className="grid gap-5">
      {choice("pre")}
      {choice("post")}
      <p className="text-ink-3 text-small">{t("toolEvents.data")}</p>
      {onSave ? (
        <FormButtons isChanged={isChanged} isSaving={isSaving} onDiscard={() => setDraft(events)} />
      ) : null}
    </form>
  );
}
