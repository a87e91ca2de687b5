import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { auditPeopleQuery } from "@/api/audit";
import type { PolicySubjectKind } from "@/api/types";
import { Labelled, Select } from "@/components/field";
import { RadioChoice } from "@/components/radio-choice";
import { TextInput } from "@/components/text-input";
import { personText } from "@/lib/person-text";
import { t } from "@/lib/t";
import type { Draft, Unfit } from "./draft";

const kinds = ["org", "role", "user"] as const satisfies PolicySubjectKind[];

type Props = { draft: Draft; unfit: Unfit; onChange: (change: Partial<Draft>) => void };

/** For whom a new policy is. */
export function SubjectFields({ draft, unfit, onChange }: Props) {
  return (
    <div className="grid gap-3">
      <RadioChoice
        label={t("usage.forWhom")}
        value={draft.kind}
        options={kinds.map((value) => ({ value, label: t(`usage.subject.${value}`) }))}
        onChange={(kind) => onChange({ kind })}
      />
      {unfit.kind ? (
        <p data-broken tabIndex={-1} className="text-danger text-small">
          {unfit.kind}
        </p>
      ) : null}
      {draft.kind === "role" ? (
        <TextInput
          mono
          label={t("usage.role")}
          hint={t("usage.roleHint")}
          error={unfit.role}
          value={draft.role}
          onChange={(role) => onChange({ role })}
        />
      ) : null}
      {draft.kind === "user" ? (
        <PersonField userId={draft.userId} error={unfit.userId} onChange={(userId) => onChange({ userId })} />
      ) : null}
    </div>
  );
}

type PersonProps = { userId: string; error: string | null; onChange: (userId: string) => void };

function PersonField({ userId, error, onChange }: PersonProps) {
  const id = useId();
  const { data: people = [] } = useQuery(auditPeopleQuery);
  return (
    <Labelled id={id} label={t("usage.person")} error={error}>
      <Select
        id={id}
        value={userId}
        aria-invalid={error !== null}
        aria-describedby={error ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{t("usage.choosePerson")}</option>
        {people.map((person) => (
          <option key={person.id} value={person.id}>
            {personText(person)}
          </option>
        ))}
      </Select>
    </Labelled>
  );
}
