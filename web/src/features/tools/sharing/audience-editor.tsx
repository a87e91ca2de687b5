import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { auditPeopleQuery } from "@/api/audit";
import { isAdmin, sessionQuery } from "@/api/session";
import type { Audience } from "@/api/types";
import { ChipsInput } from "@/components/chips-input";
import { RadioChoice } from "@/components/radio-choice";
import { t } from "@/lib/t";
import {
  type AudienceKind,
  audienceKinds,
  audienceOf,
  audienceText,
  chosenOf,
  isEmpty,
  kindOf,
} from "./audience";
import { PeopleInput } from "./people-input";

type Props = { audience: Audience; isSaving: boolean; onSave: (audience: Audience) => void };

/** With whom a tool is shared. Choosing users and roles saves once the first of them is there. */
export function AudienceEditor({ audience, isSaving, onSave }: Props) {
  const { data: session } = useQuery(sessionQuery);
  const people = useQuery({ ...auditPeopleQuery, enabled: session !== undefined && isAdmin(session) });
  const [choosing, setChoosing] = useState(false);
  const kind = choosing ? "some" : kindOf(audience);
  const chosen = chosenOf(audience);
  const choose = (next: AudienceKind) => {
    const isLater = next === "some" && isEmpty(chosen);
    setChoosing(isLater);
    if (!isLater && next !== kindOf(audience)) onSave(audienceOf(next, chosen));
  };
  const save = (change: Partial<typeof chosen>) => {
    setChoosing(false);
    onSave(audienceOf("some", { ...chosen, ...change }));
  };
  return (
    <section className="grid gap-4">
      <RadioChoice
        label={t("audience.label")}
        value={kind}
        options={audienceKinds.map((each) => ({ value: each, label: audienceText(each) }))}
        onChange={choose}
      />
      {kind === "some" ? (
        <div className="grid gap-4 border-line border-s ps-4">
          {isEmpty(chosen) ? <p className="text-ask">{t("audience.nobody")}</p> : null}
          <PeopleInput
            people={people.data ?? null}
            values={chosen.users}
            disabled={isSaving}
            onChange={(users) => save({ users })}
          />
          <ChipsInput
            label={t("audience.roles")}
            hint={t("audience.rolesHint")}
            placeholder={t("audience.rolePlaceholder")}
            values={chosen.roles}
            disabled={isSaving}
            onChange={(roles) => save({ roles })}
          />
        </div>
      ) : null}
      <p className="text-ink-3 text-small">{t("audience.text")}</p>
    </section>
  );
}
