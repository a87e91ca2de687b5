import { useId, useRef, useState } from "react";
import type { AuditPerson } from "@/api/types";
import { Button } from "@/components/button";
import { Chips } from "@/components/chips";
import { Labelled, Select } from "@/components/field";
import { personText } from "@/lib/person-text";
import { t } from "@/lib/t";

type Props = {
  /** Everybody there is; null where the reader may not see them. */
  people: AuditPerson[] | null;
  values: string[];
  disabled: boolean;
  onChange: (ids: string[]) => void;
};

/** Users, chosen among all of them. */
export function PeopleInput({ people, values, disabled, onChange }: Props) {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const [picked, setPicked] = useState("");
  const label = t("audience.users");
  const chips = (
    <Chips
      label={label}
      disabled={disabled}
      chips={values.map((value) => ({ value, label: nameOf(value, people) }))}
      onRemove={(value) => {
        onChange(values.filter((each) => each !== value));
        select.current?.focus();
      }}
    />
  );
  if (people === null)
    return (
      <div className="grid gap-1.5">
        {values.length > 0 ? <p className="font-medium text-small">{label}</p> : null}
        {chips}
        <p className="text-ink-3 text-small">{t("audience.onlyRoles")}</p>
      </div>
    );
  return (
    <Labelled id={id} label={label}>
      {chips}
      <div className="flex gap-2">
        <Select id={id} ref={select} value={picked} onChange={(event) => setPicked(event.target.value)}>
          <option value="">{t("audience.choose")}</option>
          {people
            .filter((person) => !values.includes(person.id))
            .map((person) => (
              <option key={person.id} value={person.id}>
                {personText(person)}
              </option>
            ))}
        </Select>
        <Button
          disabled={disabled || picked === ""}
          onClick={() => {
            onChange([...values, picked]);
            setPicked("");
            select.current?.focus();
          }}
        >
          {t("audience.add")}
        </Button>
      </div>
    </Labelled>
  );
}

const nameOf = (id: string, people: AuditPerson[] | null): string =>
  people?.find((person) => person.id === id)?.name ?? (people ? t("audience.unknown") : id);
