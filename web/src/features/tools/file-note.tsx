import { FileText } from "lucide-react";
import { t } from "@/lib/t";

/** Which file of the workspace says how a tool is, and why nothing of it is edited here. */
export function FileNote({ id, file }: { id: string; file: string }) {
  return (
    <p
      id={id}
      role="note"
      className="flex shrink-0 items-start gap-2 border-line border-b bg-sunken px-5 py-2 text-ink-2 text-small"
    >
      <FileText aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span className="wrap-anywhere min-w-0">{t("tools.fileNote", { file })}</span>
    </p>
  );
}
