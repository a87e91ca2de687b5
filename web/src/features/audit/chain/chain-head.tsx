import { useId } from "react";
import { CopyButton } from "@/components/copy-button";
import { Input, Labelled } from "@/components/field";
import { t } from "@/lib/t";

type Props = { head: string | null; noted: string; onNoted: (noted: string) => void };

/** The end of the chain to note down, and one noted before to check. */
export function ChainHead({ head, noted, onNoted }: Props) {
  const id = useId();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-3.5 lg:grid-cols-2">
      <div className="grid content-start gap-1.5">
        {head ? (
          <div className="flex items-center gap-1 rounded-md bg-sunken ps-2.5">
            <code dir="ltr" className="min-w-0 flex-1 break-all py-1.5 font-mono text-small">
              {head}
            </code>
            <CopyButton text={head} label={t("audit.copyHead")} />
          </div>
        ) : (
          <p className="text-ink-3">{t("audit.noHead")}</p>
        )}
        <p className="text-ink-3 text-small">{t("audit.headText")}</p>
      </div>
      <Labelled id={id} label={t("audit.noted")} hint={t("audit.notedHint")}>
        <Input
          id={id}
          dir="ltr"
          value={noted}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-note`}
          className="font-mono text-small"
          onChange={(event) => onNoted(event.target.value)}
        />
      </Labelled>
    </div>
  );
}
