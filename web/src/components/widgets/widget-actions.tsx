import { Check, Copy, Table2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/button";
import { announce } from "@/lib/announce";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import { csvOf } from "@/widgets/csv";
import type { Data } from "@/widgets/spec";

type Props = { data: Data; asTable: boolean; onAsTable: ((asTable: boolean) => void) | null };

export function WidgetActions({ data, asTable, onAsTable }: Props) {
  const [copied, setCopied] = useState(false);
  const count = data.rows.length;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(csvOf(data));
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
      announce(t("result.copied"));
    } catch {
      announce(t("widget.copyFailed"));
    }
  };
  return (
    <div className="flex items-start gap-0.5 py-1.5 pe-1.5">
      <span className="pe-1.5 text-ink-3 text-small leading-8 tabular-nums">
        {data.truncated ? t("widget.firstRows", { count }) : t("result.rows", { count })}
      </span>
      {onAsTable ? (
        <IconButton label={t("widget.asTable")} pressed={asTable} onClick={() => onAsTable(!asTable)}>
          <Table2 aria-hidden />
        </IconButton>
      ) : null}
      <IconButton label={t("result.copyCsv")} onClick={copy}>
        {copied ? <Check aria-hidden className="text-good" /> : <Copy aria-hidden />}
      </IconButton>
    </div>
  );
}

type IconProps = { label: string; pressed?: boolean; onClick: () => void; children: ReactNode };

function IconButton({ label, pressed, onClick, children }: IconProps) {
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label={label}
      title={label}
      {...(pressed === undefined ? {} : { "aria-pressed": pressed })}
      className={cx(pressed && "bg-hover text-ink")}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
