import { type FormEvent, type ReactNode, useState } from "react";
import type { PreMode } from "@/api/types";
import { RadioChoice } from "@/components/radio-choice";
import { TextInput } from "@/components/text-input";
import { ToggleRow } from "@/components/toggle-row";
import { focusUnfit } from "@/lib/focus-unfit";
import { t } from "@/lib/t";
import { type Draft, isFit, nothingUnfit, unfitOf } from "./draft";
import { ToolsChoice } from "./tools-choice";

const modes = ["off", "async", "sync"] as const satisfies PreMode[];

type Props = {
  label: string;
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** Takes the draft, once it is fit. */
  onSubmit: () => void;
  /** The end of the form, with its buttons. */
  children: ReactNode;
};

/** What a subscriber is called, where it is, and what it has to do with which calls. */
export function SubscriberForm({ label, draft, onChange, onSubmit, children }: Props) {
  const [wasTried, setTried] = useState(false);
  const unfit = unfitOf(draft);
  // Nobody is told that a field is empty before they had the time to fill it in.
  const shown = wasTried ? unfit : nothingUnfit;
  const set = (change: Partial<Draft>) => onChange({ ...draft, ...change });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (isFit(unfit)) onSubmit();
    else focusUnfit(event.currentTarget);
  };
  const hearsNothing = draft.pre === "off" && !draft.post;
  return (
    <form noValidate onSubmit={submit} aria-label={label} className="grid gap-5">
      <TextInput
        label={t("events.name")}
        error={shown.name}
        value={draft.name}
        onChange={(name) => set({ name })}
      />
      <TextInput
        mono
        label={t("events.url")}
        hint={t("events.urlHint")}
        error={shown.url}
        value={draft.url}
        onChange={(url) => set({ url })}
      />
      <ToolsChoice isForAll={draft.isForAll} tools={draft.tools} error={shown.tools} onChange={set} />
      <RadioChoice
        label={t("events.beforeLabel")}
        value={draft.pre}
        options={modes.map((value) => ({
          value,
          label: t(`events.pre.${value}`),
          note: t(`events.preNote.${value}`),
        }))}
        onChange={(pre) => set({ pre })}
      />
      <ToggleRow
        label={t("events.afterLabel")}
        note={t("events.afterNote")}
        checked={draft.post}
        onChange={(post) => set({ post })}
      />
      {hearsNothing ? <p className="text-ask">{t("events.neither")}</p> : null}
      <div className="max-w-56">
        <TextInput
          label={t("events.timeout")}
          hint={t("events.timeoutHint")}
          error={shown.timeout}
          value={draft.timeout}
          onChange={(timeout) => set({ timeout })}
        />
      </div>
      <ToggleRow
        label={t("events.enabled")}
        note={t("events.enabledNote")}
        checked={draft.enabled}
        onChange={(enabled) => set({ enabled })}
      />
      {children}
    </form>
  );
}
