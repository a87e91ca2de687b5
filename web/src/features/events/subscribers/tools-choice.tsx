import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { toolsQuery } from "@/api/tools";
import { Button } from "@/components/button";
import { Chips } from "@/components/chips";
import { Labelled, Select } from "@/components/field";
import { RadioChoice } from "@/components/radio-choice";
import { t } from "@/lib/t";

type Props = {
  isForAll: boolean;
  tools: string[];
  error: string | null;
  onChange: (change: { isForAll?: boolean; tools?: string[] }) => void;
};

/** Of which tools a subscriber hears: of all, or of some. */
export function ToolsChoice({ isForAll, tools, error, onChange }: Props) {
  return (
    <div className="grid gap-3">
      <RadioChoice
        label={t("events.toolsLabel")}
        hint={t("events.toolsHint")}
        value={isForAll ? "all" : "some"}
        options={[
          { value: "all", label: t("events.allTools") },
          { value: "some", label: t("events.someTools") },
        ]}
        onChange={(value) => onChange({ isForAll: value === "all" })}
      />
      {isForAll ? null : (
        <div className="border-line border-s ps-4">
          <ChosenTools tools={tools} error={error} onChange={(next) => onChange({ tools: next })} />
        </div>
      )}
    </div>
  );
}

type ChosenProps = { tools: string[]; error: string | null; onChange: (tools: string[]) => void };

function ChosenTools({ tools, error, onChange }: ChosenProps) {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const { data: all = [] } = useQuery(toolsQuery);
  const [picked, setPicked] = useState("");
  const label = t("events.tools");
  return (
    <Labelled id={id} label={label} error={error}>
      <Chips
        mono
        label={label}
        chips={tools.map((name) => ({ value: name, label: name }))}
        onRemove={(name) => {
          onChange(tools.filter((each) => each !== name));
          select.current?.focus();
        }}
      />
      <div className="flex gap-2">
        <Select
          id={id}
          ref={select}
          value={picked}
          aria-invalid={error !== null}
          aria-describedby={error ? `${id}-note` : undefined}
          onChange={(event) => setPicked(event.target.value)}
        >
          <option value="">{t("events.chooseTool")}</option>
          {all
            .filter(({ name }) => !tools.includes(name))
            .map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
        </Select>
        <Button
          disabled={picked === ""}
          onClick={() => {
            onChange([...tools, picked]);
            setPicked("");
            select.current?.focus();
          }}
        >
          {t("chips.add")}
        </Button>
      </div>
    </Labelled>
  );
}
