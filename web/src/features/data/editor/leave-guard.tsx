import { useBlocker } from "@tanstack/react-router";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { t } from "@/lib/t";

/** Asks before a page is left whose changes are not saved. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <Modal
      open
      place="centre"
      title={t("data.leaveTitle")}
      description={t("data.leaveText")}
      onClose={blocker.reset}
    >
      <div className="flex justify-end gap-2 px-5 py-4">
        <Button onClick={blocker.reset}>{t("data.stay")}</Button>
        <Button variant="danger" onClick={blocker.proceed}>
          {t("data.leave")}
        </Button>
      </div>
    </Modal>
  );
}
