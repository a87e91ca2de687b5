import { type FormEvent, useId, useState } from "react";
import type { ApprovalTerms, Tool } from "@/api/types";
import { ChipsInput } from "@/components/chips-input";
import { Input, Labelled } from "@/components/field";
import { FormButtons } from "@/components/form-buttons";
import { ToggleRow } from "@/components/toggle-row";
import { t } from "@/lib/t";
import { hoursOf, secondsOf } from "./terms";

type Props = {
  tool: Tool;
  terms: ApprovalTerms;
  isSaving: boolean;
  onSave: ((terms: ApprovalTerms) => void) | null;
};

/** Who decides on calls of a tool, how, and for how long they wait; only to be read without `onSave`. */
export function TermsForm({ tool, terms, isSaving, onSave }: Props) {
  const [draft, setDraft] = useState(terms);
  const [hours, setHours] = useState(() => hoursOf(terms.lifetimeSeconds));
  const id = useId();
  const seconds = secondsOf(hours);
  const isDestructive = tool.level === "destructive";
  const hasRoles = draft.approverRoles.length > 0;
  const wanted = { ...draft, lifetimeSeconds: seconds ?? null };
  const isChanged = seconds === undefined || JSON.stringify(wanted) !== JSON.stringify(terms);
  const set = (change: Partial<ApprovalTerms>) => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (seconds !== undefined && isChanged) onSave?.(wanted);
  };
  return (
    <form onSubmit={submit} aria-label={t("terms.title")} className="grid gap-4">
      <h3 className="font-semibold">{t("terms.title")}</h3>
      <ChipsInput
        takesOnBlur
        label={t("terms.approverRoles")}
        hint={t("terms.approverRolesHint")}
        placeholder={t("tools.rolePlaceholder")}
        values={draft.approverRoles}
        onChange={(approverRoles) => set({ approverRoles })}
      />
      <ToggleRow
        label={t("terms.fourEyes")}
        note={hasRoles || draft.fourEyes ? t("terms.fourEyesNote") : t("terms.fourEyesNeeds")}
        checked={draft.fourEyes}
        disabled={!hasRoles && !draft.fourEyes}
        onChange={(fourEyes) => set({ fourEyes })}
      />
      <ToggleRow
        label={t("terms.edit")}
        note={t("terms.editNote")}
        checked={draft.edit}
        onChange={(edit) => set({ edit })}
      />
      <ToggleRow
        label={t("terms.grants")}
        note={isDestructive ? t("terms.grantsDestructive") : t("terms.grantsNote")}
        checked={draft.grants}
        disabled={isDestructive}
        onChange={(grants) => set({ grants })}
      />
      <Labelled
        id={id}
        label={t("terms.lifetime")}
        hint={t("terms.lifetimeHint")}
        error={seconds === undefined ? t("terms.lifetimeUnfit") : null}
      >
        <Input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          className="max-w-32"
          value={hours}
          aria-invalid={seconds === undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => setHours(event.target.value)}
        />
      </Labelled>
      {onSave ? (
        <FormButtons
          isChanged={isChanged}
          isSaving={isSaving}
          onDiscard={() => {
            setDraft(terms);
            setHours(hoursOf(terms.lifetimeSeconds));
          }}
        />
      ) : null}
    </form>
  );
}
