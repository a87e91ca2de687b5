import type { ToolVersion } from "@/api/types";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { Spinner } from "@/components/spinner";
import { t } from "@/lib/t";

type Props = { version: ToolVersion; isSaving: boolean; onRestore: () => void; onClose: () => void };

/** Asks before an earlier version is saved once more. */
export function RestoreDialog({ version: { version }, isSaving, onRestore, onClose }: Props) {
  return (
    <Modal
      open
      onClose={onClose}
      place="centre"
      title={t("versions.restoreTitle", { n: version })}
      description={t("versions.restoreText")}
    >
      <div className="flex justify-end gap-2 px-5 py-4">
        <Button onClick={onClose}>{t("action.cancel")}</Button>
        <Button variant="primary" disabled={isSaving} onClick={onRestore}>
          {isSaving ? <Spinner className="text-current" /> : null}
          {t("versions.restore")}
        </Button>
      </div>
    </Modal>
  );
}
