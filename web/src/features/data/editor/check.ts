import { t } from "@/lib/t";
import type { ModelDraft } from "./draft";
import { textAt } from "./draft";
import { type Problem, plainProblem } from "./problems";

const NAME = /^[a-z][a-z0-9_]*$/;
const LONGEST = 60;
const KEPT = ["id", "version"];

/** What is wrong with the name of a model. */
export function modelNameProblem(name: string): string | null {
  if (name === "") return t("form.required");
  const sound = name.length <= LONGEST && name.split(".").every((part) => NAME.test(part));
  return sound ? null : t("data.badModelName");
}

/** What is wrong with the name of the field at `index`. */
export function fieldNameProblem({ fields }: ModelDraft, index: number): string | null {
  const name = fields[index]?.name ?? "";
  if (name === "") return t("form.required");
  if (KEPT.includes(name)) return t("data.keptName", { name });
  if (name.length > LONGEST || !NAME.test(name)) return t("data.badFieldName");
  const first = fields.findIndex((field) => field.name === name);
  return first < index ? t("data.nameTwice", { name }) : null;
}

/** What can be said before the server is asked: names, without which there is no file to send. */
export function problemsOfDraft(draft: ModelDraft): Problem[] {
  const model = modelNameProblem(textAt(draft.head, "name"));
  const fields = draft.fields.flatMap(({ name }, index): Problem[] => {
    const problem = fieldNameProblem(draft, index);
    if (!problem) return [];
    return [{ ...plainProblem(problem), field: name }];
  });
  return [...(model ? [plainProblem(`${t("data.name")}: ${model}`)] : []), ...fields];
}
