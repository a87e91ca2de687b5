import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FlaskConical, Play } from "lucide-react";
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useMemo, useState } from "react";
import { ApiError } from "@/api/client";
import { callTool } from "@/api/tools";
import type { Call, JsonObject, Tool } from "@/api/types";
import { Button } from "@/components/button";
import { ArgumentsForm } from "@/components/schema-form/arguments-form";
import { type Errors, fromProblem, fromText, missing, unplaced } from "@/components/schema-form/errors";
import { initial } from "@/components/schema-form/schema";
import { Spinner } from "@/components/spinner";
import { errorText } from "@/lib/error-text";
import { focusUnfit } from "@/lib/focus-unfit";
import { t } from "@/lib/t";

type Props = {
  tool: Tool;
  conversationId?: string | undefined;
  intro?: ReactNode;
  onCalled: (call: Call) => void;
  onCancel?: () => void;
};

/** Runs one tool by hand: a form made from its schema, or the same arguments as JSON. */
export function ToolRunForm({ tool, conversationId, intro, onCalled, onCancel }: Props) {
  const client = useQueryClient();
  const [value, setValue] = useState<JsonObject>(
    () => (initial(tool.inputSchema, tool.inputSchema, true) ?? {}) as JsonObject,
  );
  const [asJson, setAsJson] = useState(false);
  const [local, setLocal] = useState<Errors>({});
  const id = useId();
  const run = useMutation({
    mutationFn: (how: "run" | "try") => callTool(tool.name, value, { conversationId, trial: how === "try" }),
    onSuccess: (call) => {
      for (const key of ["calls", "approvals", "setup"]) void client.invalidateQueries({ queryKey: [key] });
      onCalled(call);
    },
  });
  const remote = useMemo(() => {
    if (run.error instanceof ApiError) return fromProblem(run.error.problem.errors);
    const failed = run.data?.status === "failed" || run.data?.status === "refused";
    return failed ? fromText(run.data?.error ?? null, run.data?.arguments ?? {}) : {};
  }, [run.error, run.data]);
  const errors = { ...remote, ...local };
  const others = unplaced(remote, tool.inputSchema);

  const send = (how: "run" | "try") => {
    const found = missing(tool.inputSchema, value, tool.inputSchema);
    setLocal(found);
    run.reset();
    if (Object.keys(found).length === 0) run.mutate(how);
    else focusUnfit(document.getElementById(id));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send("run");
  };
  const change = (next: JsonObject) => {
    setValue(next);
    if (Object.keys(local).length > 0) setLocal(missing(tool.inputSchema, next, tool.inputSchema));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && onCancel) {
      event.stopPropagation();
      onCancel();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send("run");
    }
  };
  return (
    <form
      id={id}
      noValidate
      onSubmit={submit}
      onKeyDown={onKeyDown}
      className="grid gap-3.5"
      aria-label={tool.title}
    >
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1 text-ink-2">{intro}</div>
        <Button size="sm" aria-pressed={asJson} onClick={() => setAsJson(!asJson)}>
          {asJson ? t("form.asForm") : t("form.asJson")}
        </Button>
      </div>
      <ArgumentsForm
        schema={tool.inputSchema}
        value={value}
        errors={errors}
        asJson={asJson}
        onChange={change}
      />
      {run.isError ? (
        <div role="alert" className="text-danger">
          <p>{errorText(run.error)}</p>
          {others.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      ) : null}
      <div className="flex items-center gap-2">
        <Button type="submit" variant="primary" disabled={run.isPending}>
          {run.isPending && run.variables === "run" ? (
            <Spinner className="text-current" />
          ) : (
            <Play aria-hidden />
          )}
          {t("run.once")}
        </Button>
        {tool.level === "read_only" ? null : (
          <Button disabled={run.isPending} title={t("trial.explained")} onClick={() => send("try")}>
            {run.isPending && run.variables === "try" ? <Spinner /> : <FlaskConical aria-hidden />}
            {t("trial.try")}
          </Button>
        )}
        {onCancel ? (
          <Button variant="ghost" onClick={onCancel}>
            {t("action.cancel")}
          </Button>
        ) : null}
        {tool.requiresApproval ? <span className="text-ask text-small">{t("run.willAsk")}</span> : null}
      </div>
    </form>
  );
}
