import { type FormEvent, useId, useState } from "react";
import type { Tool, ToolPatch } from "@/api/types";
import { Input, Labelled } from "@/components/field";
import { FormButtons } from "@/components/form-buttons";
import { JsonField } from "@/components/schema-form/json-field";
import { ToggleRow } from "@/components/toggle-row";
import { focusUnfit } from "@/lib/focus-unfit";
import { t } from "@/lib/t";
import { Editable } from "../editable";
import { type Draft, draftOf, isSchema, millisecondsOf, patchOf } from "./draft";
import { IconSelect } from "./icon-select";

type Props = { tool: Tool; isSaving: boolean; onSave: ((patch: ToolPatch) => void) | null };

/** How a tool looks, how long it may take, and what it answers; only to be read without `onSave`. */
export function SettingsForm({ tool, isSaving, onSave }: Props) {
  const [draft, setDraft] = useState(() => draftOf(tool));
  // A text field that holds what is no JSON keeps it until it is made anew.
  const [round, setRound] = useState(0);
  const id = useId();
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(tool));
  const isLate = millisecondsOf(draft.timeout) === undefined;
  const isNoSchema = !isSchema(draft.outputSchema);
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const patch = patchOf(tool, draft);
    if (patch && !event.currentTarget.querySelector("[data-broken]")) onSave?.(patch);
    else focusUnfit(event.currentTarget);
  };
  return (
    <form onSubmit={submit} aria-label={t("toolSettings.title")} className="grid gap-4">
      <h3 className="font-semibold">{t("toolSettings.title")}</h3>
      <Editable tool={tool}>
        <ToggleRow
          label={t("toolSettings.composer")}
          note={t("toolSettings.composerNote")}
          checked={draft.composer}
          onChange={(composer) => set({ composer })}
        />
        <Labelled
          id={`${id}label`}
          label={t("toolSettings.buttonLabel")}
          hint={t("toolSettings.buttonLabelHint")}
        >
          <Input
            id={`${id}label`}
            autoComplete="off"
            maxLength={80}
            value={draft.buttonLabel}
            placeholder={tool.title}
            aria-describedby={`${id}label-note`}
            onChange={(event) => set({ buttonLabel: event.target.value })}
          />
        </Labelled>
        <Labelled id={`${id}icon`} label={t("toolSettings.icon")}>
          <IconSelect
            id={`${id}icon`}
            kind={tool.kind}
            value={draft.icon}
            onChange={(icon) => set({ icon })}
          />
        </Labelled>
        <Labelled
          id={`${id}timeout`}
          label={t("toolSettings.timeout")}
          hint={t("toolSettings.timeoutHint")}
          error={isLate ? t("toolSettings.timeoutUnfit") : null}
        >
          <Input
            id={`${id}timeout`}
            inputMode="decimal"
            autoComplete="off"
            className="max-w-32"
            value={draft.timeout}
            aria-invalid={isLate}
            aria-describedby={`${id}timeout-note`}
            onChange={(event) => set({ timeout: event.target.value })}
          />
        </Labelled>
      </Editable>
      <Labelled
        id={`${id}schema`}
        label={t("toolSettings.outputSchema")}
        hint={t("toolSettings.outputSchemaHint")}
        error={isNoSchema ? t("toolSettings.outputSchemaUnfit") : null}
      >
        <JsonField
          key={round}
          id={`${id}schema`}
          value={draft.outputSchema}
          invalid={isNoSchema}
          readOnly={onSave === null}
          onChange={(outputSchema) => set({ outputSchema })}
        />
      </Labelled>
      {onSave ? (
        <FormButtons
          isChanged={isChanged}
          isSaving={isSaving}
          onDiscard={() => {
            setDraft(draftOf(tool));
            setRound(round + 1);
          }}
        />
      ) : null}
    </form>
  );
}
