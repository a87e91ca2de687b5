import type { ToolVersion } from "@/api/types";
import { Badge } from "@/components/badge";
import { Button } from "@/components/button";
import { fromNow, longTime } from "@/lib/format";
import { t } from "@/lib/t";
import { ChangeList } from "./change-list";
import { shownChanges } from "./shown-changes";

type Props = { version: ToolVersion; isCurrent: boolean; isFirst: boolean; onRestore: (() => void) | null };

export function VersionItem({ version: each, isCurrent, isFirst, onRestore }: Props) {
  const { version, savedAt, savedBy, canRestore } = each;
  const changes = shownChanges(each.changes);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-lg border border-line px-3.5 py-3">
      <div className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="font-semibold tabular-nums">{t("versions.number", { n: version })}</h3>
        {isCurrent ? <Badge tone="accent">{t("versions.current")}</Badge> : null}
        <span className="text-ink-2">{savedBy?.name ?? t("versions.byRelease")}</span>
        <time dateTime={savedAt} title={longTime(savedAt)} className="text-ink-3 text-small">
          {fromNow(savedAt)}
        </time>
        {isCurrent || !canRestore || !onRestore ? null : (
          <Button
            size="sm"
            className="ms-auto"
            aria-label={t("versions.restoreLabel", { n: version })}
            onClick={onRestore}
          >
            {t("versions.restore")}
          </Button>
        )}
      </div>
      {changes.length > 0 ? <ChangeList version={version} changes={changes} /> : null}
      {changes.length === 0 ? (
        <p className="text-ink-3">{isFirst ? t("versions.first") : t("versions.noChanges")}</p>
      ) : null}
      {canRestore ? null : <p className="text-ink-3 text-small">{t("versions.notKept")}</p>}
    </li>
  );
}
