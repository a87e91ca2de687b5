import { useId } from "react";
import { Labelled, Select } from "@/components/field";
import { TextInput } from "@/components/text-input";
import { humanise } from "@/lib/labels";
import { t } from "@/lib/t";
import { modelNameProblem } from "./check";
import { type ModelDraft, textAt, withKey } from "./draft";

/** The types of the fields that can name a record. */
const NAMING = ["string", "integer", "uuid", "date"];

type Props = {
  draft: ModelDraft;
  /** Whether the name can be chosen. */
  isNew: boolean;
  isChecked: boolean;
  onChange: (draft: ModelDraft) => void;
};

/** What a model says besides its fields. */
export function ModelInputs({ draft, isNew, isChecked, onChange }: Props) {
  const id = useId();
  const { head, fields } = draft;
  const name = textAt(head, "name");
  const display = textAt(head, "display");
  const set = (key: string, value: string) =>
    onChange({ ...draft, head: withKey(head, key, value || undefined) });
  const naming = fields
    .filter(({ definition }) => NAMING.includes(textAt(definition, "type")))
    .map((field) => field.name)
    .filter((each, index, all) => each !== "" && all.indexOf(each) === index);
  const choices = display === "" || naming.includes(display) ? naming : [...naming, display];
  const title = textAt(head, "title") || humanise(name.split(".").at(-1) ?? "");
  return (
    <div className="grid items-start gap-3.5 sm:grid-cols-2">
      {isNew ? (
        <div className="sm:col-span-2">
          <TextInput
            mono
            label={t("data.name")}
            hint={t("data.nameHint")}
            error={isChecked ? modelNameProblem(name) : null}
            value={name}
            onChange={(next) => set("name", next)}
          />
        </div>
      ) : null}
      <TextInput
        label={t("data.title")}
        placeholder={title}
        value={textAt(head, "title")}
        onChange={(next) => set("title", next)}
      />
      <TextInput
        label={t("data.titlePlural")}
        placeholder={title ? `${title}s` : ""}
        value={textAt(head, "title_plural")}
        onChange={(next) => set("title_plural", next)}
      />
      <TextInput
        label={t("data.help")}
        hint={t("data.helpHint")}
        value={textAt(head, "help")}
        onChange={(next) => set("help", next)}
      />
      <Labelled id={`${id}-display`} label={t("data.display")} hint={t("data.displayHint")}>
        <Select
          id={`${id}-display`}
          aria-describedby={`${id}-display-note`}
          value={display}
          onChange={(event) => set("display", event.target.value)}
        >
          <option value="">{t("data.displayId")}</option>
          {choices.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Select>
      </Labelled>
      <label className="flex items-center gap-2 sm:col-span-2">
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-accent"
          checked={head.versioned === true}
          onChange={(event) =>
            onChange({ ...draft, head: withKey(head, "versioned", event.target.checked ? true : undefined) })
          }
        />
        {t("data.versioned")}
      </label>
    </div>
  );
}
