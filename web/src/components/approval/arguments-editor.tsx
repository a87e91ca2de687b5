import { useEffect, useRef, useState } from "react";
import type { Person } from "@/api/types";
import { Button } from "@/components/button";
import { Loading } from "@/components/page-state";
import { ArgumentsForm } from "@/components/schema-form/arguments-form";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { type Edit, isUnfit } from "./use-edit";

type Props = { edit: Edit; asker: Person; error: unknown };

/** The arguments of a waiting call as a form or as JSON, for who decides to edit. */
export function ArgumentsEditor({ edit, asker, error }: Props) {
  const [asJson, setAsJson] = useState(false);
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!edit.isLoading) region.current?.focus({ preventScroll: true });
  }, [edit.isLoading]);
  if (edit.isLoading || edit.value === null) return <Loading />;
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t("approval.editArguments")}
      className="grid gap-3.5 rounded-lg border border-line p-3"
    >
      <div className="flex flex-wrap items-start gap-2">
        <p className="min-w-0 flex-1 text-ink-2">{t("approval.editText", { who: asker.name })}</p>
        <Button size="sm" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
          {asJson ? t("form.asForm") : t("form.asJson")}
        </Button>
        <Button size="sm" variant="ghost" onClick={edit.cancel}>
          {t("approval.discardEdit")}
        </Button>
      </div>
      <ArgumentsForm
        schema={edit.schema}
        value={edit.value}
        errors={edit.errors}
        asJson={asJson}
        onChange={edit.change}
      />
      {isUnfit(error) ? (
        <p role="alert" className="whitespace-pre-line text-danger">
          {errorText(error)}
        </p>
      ) : null}
    </section>
  );
}
