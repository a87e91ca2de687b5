import { useEffect, useId, useRef } from "react";
import { Button } from "@/components/button";
import { CopyButton } from "@/components/copy-button";
import { t } from "@/lib/t";

/** The secret that signs what a webhook gets, shown this once. */
export function SecretPanel({ secret, onDone }: { secret: string; onDone: () => void }) {
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  // The form or the question that had the focus is gone.
  useEffect(() => panel.current?.focus(), []);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 outline-none"
    >
      <h3 id={id} className="font-semibold">
        {t("events.secret")}
      </h3>
      <p className="rounded-lg border border-ask-line bg-ask-soft p-3 text-ask">{t("events.secretOnce")}</p>
      <div className="flex items-center gap-1 rounded-md bg-sunken ps-2.5">
        <code dir="ltr" className="min-w-0 flex-1 break-all py-1.5 font-mono text-small">
          {secret}
        </code>
        <CopyButton text={secret} label={t("events.copySecret")} />
      </div>
      <p className="text-ink-3 text-small">{t("events.secretText")}</p>
      <div className="flex justify-end">
        <Button variant="primary" onClick={onDone}>
          {t("events.done")}
        </Button>
      </div>
    </section>
  );
}
