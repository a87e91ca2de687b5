import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { checkLanguageModel, saveLanguageModel } from "@/api/setup";
import type { LanguageModel } from "@/api/types";
import { Button } from "@/components/button";
import { Input, Labelled, Select } from "@/components/field";
import { Spinner } from "@/components/spinner";
import { announce } from "@/lib/announce";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";

type Props = { current: LanguageModel; onSaved?: () => void };

/** Address and key, a check that lists what is there, a choice, and only then saving. */
export function ModelForm({ current, onSaved }: Props) {
  const client = useQueryClient();
  const id = useId();
  const [baseUrl, setBaseUrl] = useState(current.baseUrl ?? "http://127.0.0.1:11434/v1");
  const [apiKey, setApiKey] = useState("");
  const [model, setModel] = useState("");
  const address = { baseUrl: baseUrl.trim(), ...(apiKey ? { apiKey } : {}) };
  const check = useMutation({
    mutationFn: () => checkLanguageModel(address),
    onSuccess: ({ models }) => {
      setModel(models.find((each) => each === current.model) ?? models[0] ?? "");
      announce(t("model.found", { count: models.length }));
    },
  });
  const save = useMutation({
    mutationFn: () => saveLanguageModel({ ...address, model: model.trim() }),
    onSuccess: async () => {
      announce(t("model.saved"));
      setApiKey("");
      check.reset();
      await Promise.all([
        client.invalidateQueries({ queryKey: ["setup"] }),
        client.invalidateQueries({ queryKey: ["agents"] }),
      ]);
      onSaved?.();
    },
  });
  const models = check.data?.models;
  const error = save.error ?? check.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (models) save.mutate();
    else check.mutate();
  };
  const edit = (change: () => void) => {
    change();
    check.reset();
    save.reset();
  };
  return (
    <form onSubmit={submit} className="grid gap-2">
      <div className="grid items-end gap-2 sm:grid-cols-[1fr_1fr_auto]">
        <Labelled id={`${id}-url`} label={t("model.address")}>
          <Input
            id={`${id}-url`}
            type="url"
            required
            dir="ltr"
            value={baseUrl}
            onChange={(event) => edit(() => setBaseUrl(event.target.value))}
          />
        </Labelled>
        <Labelled id={`${id}-key`} label={t("model.key")}>
          <Input
            id={`${id}-key`}
            type="password"
            autoComplete="off"
            placeholder={t("model.keyPlaceholder")}
            value={apiKey}
            onChange={(event) => edit(() => setApiKey(event.target.value))}
          />
        </Labelled>
        {models ? null : (
          <Button
            type="submit"
            className="justify-center"
            disabled={check.isPending || baseUrl.trim() === ""}
          >
            {check.isPending ? <Spinner /> : null}
            {t("model.check")}
          </Button>
        )}
      </div>
      {models ? (
        <div className="grid items-end gap-2 sm:grid-cols-[1fr_auto_auto]">
          <Labelled
            id={`${id}-model`}
            label={t("model.choose")}
            hint={t("model.found", { count: models.length })}
          >
            {models.length > 0 ? (
              <Select id={`${id}-model`} value={model} onChange={(event) => setModel(event.target.value)}>
                {models.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </Select>
            ) : (
              <Input id={`${id}-model`} value={model} onChange={(event) => setModel(event.target.value)} />
            )}
          </Labelled>
          <Button className="mb-[22px]" onClick={() => check.reset()}>
            {t("action.cancel")}
          </Button>
          <Button
            type="submit"
            variant="primary"
            className="mb-[22px]"
            disabled={save.isPending || model.trim() === ""}
          >
            {save.isPending ? <Spinner className="text-current" /> : null}
            {t("model.save")}
          </Button>
        </div>
      ) : null}
      {error ? (
        <p role="alert" className="whitespace-pre-line text-danger">
          {errorText(error)}
        </p>
      ) : null}
    </form>
  );
}
