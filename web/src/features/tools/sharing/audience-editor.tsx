import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { auditPeopleQuery } from "@/api/audit";
import { isAdmin, sessionQuery } from "@/api/session";
import type { Audience } from "@/api/types";
import { ChipsInput } from "@/components/chips-input";
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
  const name = useId();
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
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-medium text-small">{t("audience.label")}</legend>
        {audienceKinds.map((each) => (
          <label key={each} className="flex items-start gap-2.5">
            <input
              type="radio"
              name={name}
              className="mt-0.5 size-4 shrink-0 accent-(--accent)"
              checked={each === kind}
              onChange={() => choose(each)}
            />
            {audienceText(each)}
          </label>
        ))}
      </fieldset>
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
