import { useMutation } from "@tanstack/react-query";
import { getHandle } from "@/api/calls";
import { Button } from "@/components/button";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { HandlePreview } from "./handle-preview";
import { ResultView } from "./result-view";
import type { Handle } from "./shape";

/** A result that was too large for the model: its preview, and the whole of it on request. */
export function HandleView({ handle }: { handle: Handle }) {
  const whole = useMutation({ mutationFn: () => getHandle(handle.handle) });
  if (whole.isSuccess) return <ResultView value={whole.data} />;
  return (
    <div className="grid gap-2">
      <HandlePreview handle={handle} />
      <div>
        <Button size="sm" disabled={whole.isPending} onClick={() => whole.mutate()}>
          {t("result.openWhole")}
        </Button>
      </div>
      {whole.isError ? <p className="text-danger">{errorText(whole.error)}</p> : null}
    </div>
  );
}
