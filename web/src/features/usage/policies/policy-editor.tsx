import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { AuditPerson, UsagePolicy } from "@/api/types";
import { policiesQuery } from "@/api/usage";
import { Button } from "@/components/button";
import { FormButtons } from "@/components/form-buttons";
import { SaveError } from "@/components/save-error";
import { StaleNote } from "@/components/stale-note";
import { focusUnfit } from "@/lib/focus-unfit";
import { t } from "@/lib/t";
import { DeleteDialog } from "./delete-dialog";
import { draftOf, isFit, limitsOf, nothingUnfit, unfitLimits } from "./draft";
import { LimitsFields } from "./limits-fields";
import { PolicyFacts } from "./policy-facts";
import { subjectText, whoText } from "./subject";
import { isChangedElsewhere, useChangePolicy } from "./use-change-policy";
import { useLimitsDraft } from "./use-limits-draft";

type Props = { policy: UsagePolicy; policies: UsagePolicy[]; people: AuditPerson[]; onClose: () => void };

/** How much a policy allows. For whom it is stays as it is. */
export function PolicyEditor({ policy, policies, people, onClose }: Props) {
  const client = useQueryClient();
  const { base, draft, isChanged, setDraft, restart } = useLimitsDraft(policy);
  const [wasTried, setTried] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const who = whoText(policy, people);
  const change = useChangePolicy(who);
  const unfit = unfitLimits(draft);
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (!isFit(unfit)) focusUnfit(event.currentTarget);
    else if (isChanged && !change.isPending)
      change.mutate({ policy: base, limits: limitsOf(draft) }, { onSuccess: restart });
  };
  const reload = async () => {
    await client.refetchQueries({ queryKey: policiesQuery.queryKey });
    const read = client.getQueryData(policiesQuery.queryKey)?.find(({ id }) => id === base.id);
    if (read) restart(read);
    change.reset();
  };
  return (
    <>
      <div className="grid min-h-0 flex-1 content-start gap-5 overflow-y-auto px-5 py-4">
        <PolicyFacts policy={policy} policies={policies} />
        <form
          noValidate
          onSubmit={save}
          aria-label={subjectText(policy, people)}
          className="grid gap-5 border-line border-t pt-5"
        >
          <LimitsFields
            draft={draft}
            unfit={wasTried ? unfit : nothingUnfit}
            onChange={(typed) => setDraft({ ...draft, ...typed })}
          />
          {isChangedElsewhere(change.error) ? (
            <StaleNote
              text={t("usage.changedElsewhere")}
              action={t("usage.reload")}
              onReload={() => void reload()}
            />
          ) : (
            <SaveError error={change.error} />
          )}
          <FormButtons
            isChanged={isChanged}
            isSaving={change.isPending}
            onDiscard={() => {
              setDraft(draftOf(base));
              setTried(false);
            }}
          />
        </form>
      </div>
      <footer className="flex shrink-0 justify-end border-line border-t bg-rail px-5 py-2.5">
        <Button onClick={() => setAsking(true)}>
          <Trash2 aria-hidden className="text-danger" />
          {t("usage.delete")}
        </Button>
      </footer>
      {isAsking ? (
        <DeleteDialog id={policy.id} who={who} onClose={() => setAsking(false)} onDeleted={onClose} />
      ) : null}
    </>
  );
}
