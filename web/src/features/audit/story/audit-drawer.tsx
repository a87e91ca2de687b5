import { useQuery } from "@tanstack/react-query";
import { auditCallQuery } from "@/api/audit";
import { isUnfinished } from "@/components/call/call-status";
import { Modal } from "@/components/modal";
import { Failed, Loading } from "@/components/page-state";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { AuditStoryView } from "./audit-story";
import { EraseBar } from "./erase-bar";

export function AuditDrawer({ callId, onClose }: { callId: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    ...auditCallQuery(callId),
    refetchInterval: ({ state }) => (state.data && isUnfinished(state.data.status) ? 3_000 : false),
  });
  return (
    <Modal open onClose={onClose} title={data?.title ?? t("calls.call")} place="end">
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
        {error ? <Failed text={errorText(error)} onRetry={() => void refetch()} /> : null}
        {data || error ? null : <Loading />}
        {data && !error ? <AuditStoryView story={data} /> : null}
      </div>
      {data && !error && !data.erased ? <EraseBar story={data} /> : null}
    </Modal>
  );
}
