import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { modelsQuery } from "@/api/models";
import type { WorkspaceDocument } from "@/api/types";
import { Button } from "@/components/button";
import { PageHeader } from "@/components/page-header";
import { StaleNote } from "@/components/stale-note";
import { t } from "@/lib/t";
import { ProblemList } from "../problem-list";
import { ReviewPanel } from "../review-panel";
import { EditorFooter } from "./editor-footer";
import { FieldsEditor, focusField } from "./fields-editor";
import { LeaveGuard } from "./leave-guard";
import { ModelInputs } from "./model-inputs";
import { type Problem, placeText } from "./problems";
import { useModelEditor } from "./use-model-editor";
import { hasComments } from "./yaml";
import { YamlEditor, type YamlEditorHandle } from "./yaml-editor";

type Props = {
  title: string;
  /** What is changed; null for a new model. */
  document: WorkspaceDocument | null;
  onSaved: (name: string) => void;
  onCancel: () => void;
  onReload: () => void;
};

/** A data model, as a form or as the YAML of its file: reviewed, and then saved. */
export function ModelEditor({ title, document, onSaved, onCancel, onReload }: Props) {
  const editor = useModelEditor(document, onSaved);
  const { data } = useQuery(modelsQuery);
  const [open, setOpen] = useState(new Set<number>());
  const [isChecked, setChecked] = useState(false);
  const panel = useRef<HTMLElement>(null);
  const yaml = useRef<YamlEditorHandle>(null);
  const { sides, change, problems } = editor;
  const isYaml = sides.mode === "yaml";
  const models = [...new Set([...(data?.models.map((each) => each.name) ?? []), editor.name])].filter(
    Boolean,
  );
  useEffect(() => {
    if (change.review) panel.current?.focus();
  }, [change.review]);

  const onOpen = (key: number, isOpen: boolean) =>
    setOpen((old) => new Set(isOpen ? [...old, key] : [...old].filter((each) => each !== key)));
  const goTo = (problem: Problem) => {
    if (sides.mode === "yaml") yaml.current?.goTo(problem.line ?? 1, problem.column ?? 1);
    else {
      const field = sides.draft.fields.findLast((each) => each.name === problem.field);
      if (!field) return;
      onOpen(field.key, true);
      focusField(field.key);
    }
  };
  const place = (problem: Problem) => {
    if (isYaml || problem.path !== null) return placeText(problem);
    return problem.field === "" ? t("data.unnamed") : (problem.field ?? "");
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    change.look();
  };
  const marked = problems.flatMap(({ path, line }) => (path === null && line !== null ? [line] : []));
  return (
    <main id="main" className="flex min-h-0 flex-1 flex-col">
      <PageHeader title={title}>
        <Button
          size="sm"
          className="ms-auto"
          aria-pressed={isYaml}
          disabled={editor.isReading || change.pending !== null}
          onClick={editor.toggle}
        >
          {isYaml ? t("form.asForm") : t("data.yaml")}
        </Button>
      </PageHeader>
      <form noValidate onSubmit={submit} aria-label={title} className="flex min-h-0 flex-1 flex-col">
        <div className="min-h-0 flex-1 overflow-y-auto" inert={change.pending === "apply"}>
          <div className="mx-auto grid max-w-[880px] grid-cols-[minmax(0,1fr)] gap-5 px-4 py-5">
            {editor.isStale ? (
              <StaleNote text={t("data.changedElsewhere")} action={t("data.reload")} onReload={onReload} />
            ) : null}
            <ProblemList problems={problems} place={place} onGo={goTo} />
            {sides.mode === "yaml" ? (
              <YamlEditor ref={yaml} text={editor.text} marked={new Set(marked)} onChange={editor.setText} />
            ) : (
              <>
                {hasComments(editor.text) ? <p className="text-ink-3">{t("data.noComments")}</p> : null}
                <ModelInputs
                  draft={sides.draft}
                  isNew={document === null}
                  isChecked={isChecked}
                  onChange={editor.setDraft}
                />
                <FieldsEditor
                  draft={sides.draft}
                  models={models}
                  isChecked={isChecked}
                  open={open}
                  onOpen={onOpen}
                  onChange={(fields) => editor.setDraft({ ...sides.draft, fields })}
                />
              </>
            )}
            <ReviewPanel ref={panel} change={change} />
          </div>
        </div>
        <EditorFooter change={change} onCancel={onCancel} />
      </form>
      <LeaveGuard isDirty={editor.isDirty} />
    </main>
  );
}
