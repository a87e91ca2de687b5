import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { auditPeopleQuery } from "@/api/audit";
import { addPolicy, policiesQuery } from "@/api/usage";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { SaveError } from "@/components/save-error";
import { Spinner } from "@/components/spinner";
import { announce } from "@/lib/announce";
import { focusUnfit } from "@/lib/focus-unfit";
import { t } from "@/lib/t";
import { type Draft, emptyDraft, isFit, limitsOf, nothingUnfit, subjectOf, unfitOf } from "./draft";
import { LimitsFields } from "./limits-fields";
import { whoText } from "./subject";
import { SubjectFields } from "./subject-fields";

/** A policy that is being added. */
export function NewPolicyDrawer({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const { data: known = [] } = useQuery(policiesQuery);
  const { data: people = [] } = useQuery(auditPeopleQuery);
  const [draft, setDraft] = useState(emptyDraft);
  const [wasTried, setTried] = useState(false);
  const add = useMutation({
    mutationFn: () => addPolicy({ ...subjectOf(draft), ...limitsOf(draft) }),
    onSuccess: (policy) => {
      announce(t("usage.added", { who: whoText(policy, people) }));
      onClose();
    },
    // Where it was refused, others may have been added meanwhile.
    onSettled: () => void client.invalidateQueries({ queryKey: ["usage"] }),
  });
  const unfit = unfitOf(draft, add.isSuccess ? [] : known);
  // Nobody is told that a field is empty before they had the time to fill it in.
  const shown = wasTried ? unfit : nothingUnfit;
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (!isFit(unfit)) focusUnfit(event.currentTarget);
    else if (!add.isPending) add.mutate();
  };
  return (
    <Modal open onClose={onClose} title={t("usage.add")} place="end">
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
        <form noValidate onSubmit={submit} aria-label={t("usage.add")} className="grid gap-5">
          <SubjectFields draft={draft} unfit={shown} onChange={set} />
          <LimitsFields draft={draft} unfit={shown} onChange={set} />
          <p className="text-ink-2">{t("usage.explained")}</p>
          <SaveError error={add.error} />
          <div className="flex gap-2">
            <Button type="submit" variant="primary" disabled={add.isPending}>
              {add.isPending ? <Spinner className="text-current" /> : null}
              {t("usage.add")}
            </Button>
            <Button variant="ghost" onClick={onClose}>
              {t("action.cancel")}
            </Button>
          </div>
        </form>
      </div>
    </Modal>
  );
}
