import { useId } from "react";
import type { Json, JsonObject } from "@/api/types";
import { ChipsInput } from "@/components/chips-input";
import { Labelled, Select } from "@/components/field";
import { TextInput } from "@/components/text-input";
import { t } from "@/lib/t";
import { textAt } from "./draft";
import { type FieldType, has } from "./field-types";
import { OptionsInput } from "./options-input";
import { textsOf } from "./values";

type Props = {
  type: FieldType;
  definition: JsonObject;
  models: string[];
  onKey: (key: string, value: Json | undefined) => void;
};

/** What a field of this type says that others don't: its options, the model it leads to, the files it takes. */
export function TypeInputs({ type, definition, models, onKey }: Props) {
  return (
    <>
      {has(type, "options") ? (
        <div className="sm:col-span-2">
          <OptionsInput value={definition.options} onChange={(options) => onKey("options", options)} />
        </div>
      ) : null}
      {has(type, "model") ? (
        <ModelSelect
          models={models}
          value={textAt(definition, "model")}
          onChange={(model) => onKey("model", model || undefined)}
        />
      ) : null}
      {has(type, "inverse") ? (
        <TextInput
          mono
          label={t("data.inverse")}
          hint={t(type === "one_to_many" ? "data.inverseNeeded" : "data.inverseHint")}
          value={textAt(definition, "inverse")}
          onChange={(inverse) => onKey("inverse", inverse || undefined)}
        />
      ) : null}
      {has(type, "media_types") ? (
        <ChipsInput
          takesOnBlur
          label={t("data.mediaTypes")}
          hint={t("data.mediaTypesHint")}
          placeholder={t("data.mediaTypesPlaceholder")}
          values={textsOf(definition.media_types)}
          onChange={(types) => onKey("media_types", types.length > 0 ? types : undefined)}
        />
      ) : null}
    </>
  );
}

type ModelProps = { models: string[]; value: string; onChange: (model: string) => void };

function ModelSelect({ models, value, onChange }: ModelProps) {
  const id = useId();
  const known = value === "" || models.includes(value) ? models : [...models, value];
  return (
    <Labelled id={id} label={t("data.leadsTo")}>
      <Select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {value === "" ? <option value="">{t("form.choose")}</option> : null}
        {known.map((model) => (
          <option key={model}>{model}</option>
        ))}
      </Select>
    </Labelled>
  );
}
