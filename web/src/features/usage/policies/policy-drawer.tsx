import { useQuery } from "@tanstack/react-query";
import { auditPeopleQuery } from "@/api/audit";
import { policiesQuery } from "@/api/usage";
import { Modal } from "@/components/modal";
import { Failed, Loading } from "@/components/page-state";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { PolicyEditor } from "./policy-editor";
import { subjectText } from "./subject";

/** One policy: for whom it is, what is used of it, and how much it allows. */
export function PolicyDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(policiesQuery);
  const { data: people } = useQuery(auditPeopleQuery);
  const policy = data?.find((each) => each.id === id);
  const isRead = data !== undefined && people !== undefined;
  return (
    <Modal
      open
      onClose={onClose}
      title={policy && people ? subjectText(policy, people) : t("usage.policy")}
      description={policy ? t(`usage.subject.${policy.subjectKind}`) : ""}
      place="end"
    >
      {error && !data ? <Failed text={errorText(error)} onRetry={() => void refetch()} /> : null}
      {isRead || error ? null : <Loading />}
      {isRead && !policy ? <p className="px-5 py-4 text-ink-2">{t("usage.missing")}</p> : null}
      {isRead && policy ? (
        <PolicyEditor policy={policy} policies={data} people={people} onClose={onClose} />
      ) : null}
    </Modal>
  );
}
