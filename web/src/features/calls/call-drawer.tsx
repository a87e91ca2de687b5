import { useQuery } from "@tanstack/react-query";
import { callQuery } from "@/api/calls";
import { CallStoryView } from "@/components/call/call-story";
import { Modal } from "@/components/modal";
import { t } from "@/lib/t";

export function CallDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useQuery(callQuery(id));
  return (
    <Modal open onClose={onClose} title={data?.title ?? t("calls.call")} place="end">
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
        <CallStoryView id={id} />
      </div>
    </Modal>
  );
}
