import { Download } from "lucide-react";
import { buttonClass } from "@/components/button";
import { t } from "@/lib/t";

const formats = ["csv", "jsonl"] as const;

/** The records of an export, as files to save. */
export function ExportLinks({ callId }: { callId: string }) {
  return (
    <p className="flex flex-wrap gap-2">
      {formats.map((format) => (
        <a
          key={format}
          download
          href={`/api/calls/${encodeURIComponent(callId)}/export?format=${format}`}
          className={buttonClass("secondary", "sm")}
        >
          <Download aria-hidden />
          {t(`export.${format}`)}
        </a>
      ))}
    </p>
  );
}
