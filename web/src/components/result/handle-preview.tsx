import { bytes } from "@/lib/format";
import { t } from "@/lib/t";
import type { Handle } from "./shape";

/** The beginning of a result that was too large for the model. */
export function HandlePreview({ handle }: { handle: Handle }) {
  return (
    <>
      <p className="text-ink-2">{t("result.tooLarge", { size: bytes(handle.bytes), shape: handle.shape })}</p>
      <pre className="max-h-48 overflow-auto whitespace-pre-wrap rounded-lg bg-sunken p-3 font-mono text-small">
        {handle.preview}
      </pre>
    </>
  );
}
