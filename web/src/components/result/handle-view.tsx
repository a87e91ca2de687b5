import { useMutation } from "@tanstack/react-query";
import { getHandle } from "@/api/calls";
import { Button } from "@/components/button";
import { errorText } from "@/lib/error-text";
import { bytes } from "@/lib/format";
import { t } from "@/lib/t";
import { ResultView } from "./result-view";
import type { Handle } from "./shape";

/** A result that was too large for the model: its preview, and the whole of it on request. */
export function HandleView({ handle }: { handle: Handle }) {
  const whole = useMutation({ mutationFn: () => getHandle(handle.handle) });
  if (whole.isSuccess) return <ResultView value={whole.data} />;
  return (
    <div className="grid gap-2">
      <p className="text-ink-2">{t("result.tooLarge", { size: bytes(handle.bytes), shape: handle.shape })}</p>
      <pre className="max-h-48 overflow-auto whitespace-pre-wrap rounded-lg bg-sunken p-3 font-mono text-small">
        {handle.preview}
      </pre>
      <div>
        <Button size="sm" disabled={whole.isPending} onClick={() => whole.mutate()}>
          {t("result.openWhole")}
        </Button>
      </div>
      {whole.isError ? <p className="text-danger">{errorText(whole.error)}</p> : null}
    </div>
  );
}
