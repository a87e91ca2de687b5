import { useId } from "react";
import type { Json } from "@/api/types";
import { Labelled, Select } from "@/components/field";
import { TextInput } from "@/components/text-input";
import { humanise } from "@/lib/labels";
import { t } from "@/lib/t";
import { DefaultInput } from "./default-input";
import { type FieldDraft, textAt, withKey } from "./draft";
import { type FieldType, fieldTypes, flagsOf, hasDefault, isFieldType, withType } from "./field-types";
import { LimitInputs } from "./limit-inputs";
import { TypeInputs } from "./type-inputs";

type Props = {
  field: FieldDraft;
  nameError: string | null;
  models: string[];
  onChange: (field: FieldDraft) => void;
};

/** All that a field says, as the type of its values has it. */
export function FieldInputs({ field, nameError, models, onChange }: Props) {
  const id = useId();
  const { definition } = field;
  const type: FieldType | null = isFieldType(definition.type) ? definition.type : null;
  const onKey = (key: string, value: Json | undefined) =>
    onChange({ ...field, definition: withKey(definition, key, value) });
  return (
    <div className="grid items-start gap-3.5 sm:grid-cols-2">
      <TextInput
        mono
        label={t("data.name")}
        error={nameError}
        value={field.name}
        onChange={(name) => onChange({ ...field, name })}
      />
      <Labelled id={`${id}-type`} label={t("data.type")}>
        <Select
          id={`${id}-type`}
          value={type ?? ""}
          onChange={(event) => {
            const next = event.target.value;
            if (isFieldType(next)) onChange({ ...field, definition: withType(definition, next) });
          }}
        >
          {type ? null : <option value="">{t("form.choose")}</option>}
          {fieldTypes.map((each) => (
            <option key={each} value={each}>
              {t(`fieldType.${each}`)}
            </option>
          ))}
        </Select>
      </Labelled>
      <TextInput
        label={t("data.title")}
        placeholder={humanise(field.name)}
        value={textAt(definition, "title")}
        onChange={(title) => onKey("title", title || undefined)}
      />
      <TextInput
        label={t("data.help")}
        value={textAt(definition, "help")}
        onChange={(help) => onKey("help", help || undefined)}
      />
      {type ? (
        <>
          <TypeInputs type={type} definition={definition} models={models} onKey={onKey} />
          <fieldset className="flex min-w-0 flex-wrap gap-x-5 gap-y-2 sm:col-span-2">
            <legend className="mb-1.5 font-medium text-small">{t("data.flags")}</legend>
            {flagsOf(type).map((flag) => (
              <label key={flag} className="flex items-center gap-2">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  checked={definition[flag] === true}
                  onChange={(event) => onKey(flag, event.target.checked ? true : undefined)}
                />
                {t(`flag.${flag}`)}
              </label>
            ))}
          </fieldset>
          {hasDefault(type) ? (
            <DefaultInput
              key={type}
              type={type}
              definition={definition}
              onChange={(value) => onKey("default", value)}
            />
          ) : null}
          <LimitInputs key={`${type}-limits`} type={type} definition={definition} onKey={onKey} />
        </>
      ) : null}
    </div>
  );
}
