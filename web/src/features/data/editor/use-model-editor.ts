import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { saveDocument } from "@/api/models";
import type { WorkspaceDocument } from "@/api/types";
import { announce } from "@/lib/announce";
import { t } from "@/lib/t";
import { useReviewedChange } from "../use-reviewed-change";
import { problemsOfDraft } from "./check";
import { emptyDraft, isEditable, type ModelDraft, textAt, toDefinition, toDraft } from "./draft";
import { isChangedElsewhere, type Problem, plainProblem, problemsOf } from "./problems";
import { nameIn, toYaml } from "./yaml";

/**
 * What is edited, as a form and as text. The side that is not in sight is kept while it says the
 * same; it is null once the other one was changed.
 */
type Sides = { mode: "form"; draft: ModelDraft; text: string | null } | YamlSide;
type YamlSide = { mode: "yaml"; draft: ModelDraft | null; text: string };

function opened(document: WorkspaceDocument | null): Sides {
  if (!document) return { mode: "form", draft: emptyDraft, text: null };
  const { definition, text } = document;
  return isEditable(definition)
    ? { mode: "form", draft: toDraft(definition), text }
    : { mode: "yaml", draft: null, text };
}

/** The state of the editor of one data model: its two sides, the review and the problems. */
export function useModelEditor(document: WorkspaceDocument | null, onSaved: (name: string) => void) {
  const client = useQueryClient();
  const [sides, setSides] = useState(() => opened(document));
  const [isDirty, setDirty] = useState(false);
  const [local, setLocal] = useState<Problem[]>([]);
  const text = sides.mode === "yaml" ? sides.text : (sides.text ?? toYaml(toDefinition(sides.draft)));
  const name = sides.mode === "form" ? textAt(sides.draft.head, "name") : nameIn(text);
  const path = document?.path ?? `models/${name}.yaml`;
  const version = document?.version ?? null;
  const change = useReviewedChange(
    async (options) => {
      const done = await saveDocument({ path, version, text }, options);
      // The page that is opened next finds the model in this list.
      if (done.saved) await client.invalidateQueries({ queryKey: ["models"] });
      return done;
    },
    ({ definition }) => {
      announce(t("data.saved"));
      setDirty(false);
      onSaved(textAt(definition ?? {}, "name") || name);
    },
  );
  const reading = useMutation({ mutationFn: () => saveDocument({ path, version, text }, { dryRun: true }) });

  const take = (next: Sides) => {
    setSides(next);
    setDirty(true);
    setLocal([]);
    change.reset();
    reading.reset();
  };
  const toForm = (draft: ModelDraft) => setSides({ mode: "form", draft, text });
  const toggle = () => {
    setLocal([]);
    reading.reset();
    if (sides.mode === "form") setSides({ mode: "yaml", draft: sides.draft, text });
    else if (sides.draft) toForm(sides.draft);
    else if (!name) setLocal([plainProblem(t("data.noNameInText"))]);
    else
      reading.mutate(undefined, {
        onSuccess: ({ definition }) => {
          if (isEditable(definition ?? undefined)) toForm(toDraft(definition ?? {}));
          else setLocal([plainProblem(t("data.onlyYaml"))]);
        },
      });
  };
  const found = () => {
    if (sides.mode === "form") return problemsOfDraft(sides.draft);
    return name ? [] : [plainProblem(t("data.noNameInText"))];
  };
  const look = () => {
    const problems = found();
    setLocal(problems);
    reading.reset();
    if (problems.length === 0) change.look();
    else change.reset();
  };
  const error = change.error ?? reading.error;
  const isStale = isChangedElsewhere(error);
  return {
    sides,
    text,
    name,
    isDirty,
    isReading: reading.isPending,
    problems: local.length > 0 || !error || isStale ? local : problemsOf(error, path, text),
    isStale,
    change: { ...change, look },
    setDraft: (draft: ModelDraft) => take({ mode: "form", draft, text: null }),
    setText: (next: string) => take({ mode: "yaml", draft: null, text: next }),
    toggle,
  };
}
