import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronDown, ShieldCheck } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { chainQuery, verifyChain } from "@/api/audit";
import type { AuditFilter } from "@/api/audit-filter";
import { Button } from "@/components/button";
import { Spinner } from "@/components/spinner";
import { announce } from "@/lib/announce";
import { cx } from "@/lib/cx";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { useNow } from "@/lib/use-now";
import { ChainHead } from "./chain-head";
import { chainText, verifiedText } from "./chain-text";
import { Verified } from "./verified";

/** How far the record of calls is sealed, and a way to see that nobody has changed it since. */
export function ChainStrip({ filter }: { filter: AuditFilter }) {
  const client = useQueryClient();
  const { data: chain, error } = useQuery(chainQuery);
  const now = useNow(1_000);
  const [isOpen, setOpen] = useState(false);
  const [noted, setNoted] = useState("");
  const id = useId();
  const verify = useMutation({
    mutationFn: (head: string) => verifyChain(head),
    onSuccess: (found) => {
      announce(verifiedText(found));
      void client.invalidateQueries({ queryKey: chainQuery.queryKey });
    },
  });
  const failure = verify.error ?? error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    verify.mutate(isOpen ? noted.trim() : "");
  };
  return (
    <section aria-label={t("audit.chain")} className="shrink-0 border-line border-b">
      <form onSubmit={submit}>
        <div className="flex flex-wrap items-center gap-2 px-4 py-1.5">
          <ShieldCheck aria-hidden className="size-4 shrink-0 text-ink-3" />
          <p className="min-w-0 flex-1 basis-40 text-ink-2 tabular-nums">
            {chain ? chainText(chain, now) : t("state.loading")}
          </p>
          <Button
            size="sm"
            variant="ghost"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            {t("audit.head")}
            <ChevronDown aria-hidden className={cx(isOpen && "rotate-180")} />
          </Button>
          <Button size="sm" type="submit" disabled={verify.isPending}>
            {verify.isPending ? <Spinner /> : null}
            {t("audit.verify")}
          </Button>
        </div>
        <div id={id} hidden={!isOpen}>
          {isOpen ? <ChainHead head={chain?.head ?? null} noted={noted} onNoted={setNoted} /> : null}
        </div>
      </form>
      {failure ? (
        <p role="alert" className="px-4 pb-2 text-danger">
          {errorText(failure)}
        </p>
      ) : null}
      {verify.data && !verify.isPending && !verify.isError ? (
        <Verified
          found={verify.data}
          isHeadChecked={verify.variables !== ""}
          filter={filter}
          onClose={verify.reset}
        />
      ) : null}
    </section>
  );
}
