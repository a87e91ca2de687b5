import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { Wrench } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { toolsQuery } from "@/api/tools";
import { Select } from "@/components/field";
import { PageHeader } from "@/components/page-header";
import { Empty, Failed, Loading } from "@/components/page-state";
import { SearchField } from "@/components/search-field";
import { Segmented } from "@/components/segmented";
import { kindText } from "@/components/tool/kind";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { type ApprovalFilter, filtered } from "./filter";
import { ToolTable } from "./tool-table";

export function ToolsPage() {
  const { data: tools, error, refetch } = useQuery(toolsQuery);
  const [typed, setTyped] = useState("");
  const [kind, setKind] = useState("");
  const [approval, setApproval] = useState<ApprovalFilter>("any");
  const query = useDeferredValue(typed);
  const shown = useMemo(
    () => filtered(tools ?? [], { query, kind, approval }),
    [tools, query, kind, approval],
  );
  const kinds = useMemo(() => [...new Set(tools?.map((tool) => tool.kind))].sort(), [tools]);
  return (
    <main id="main" className="flex min-h-0 flex-1 flex-col">
      <PageHeader title={t("nav.tools")} count={shown.length}>
        <SearchField label={t("tools.search")} value={typed} onChange={setTyped} />
        {kinds.length > 1 ? (
          <Segmented
            label={t("tools.kind")}
            hideLabel
            value={kind}
            options={[
              { value: "", label: t("tools.all") },
              ...kinds.map((each) => ({ value: each, label: kindText(each) })),
            ]}
            onChange={setKind}
          />
        ) : null}
        <Select
          aria-label={t("tools.approvalFilter")}
          width="ms-auto w-36 max-sm:ms-0"
          value={approval}
          onChange={(event) => setApproval(event.target.value as ApprovalFilter)}
        >
          <option value="any">{t("tools.anyApproval")}</option>
          <option value="asks">{t("tools.asksFirst")}</option>
          <option value="free">{t("tools.runsFreely")}</option>
        </Select>
      </PageHeader>
      {error ? <Failed text={errorText(error)} onRetry={() => void refetch()} /> : null}
      {tools || error ? null : <Loading />}
      {tools && shown.length === 0 ? (
        <Empty
          icon={<Wrench aria-hidden />}
          title={tools.length === 0 ? t("tools.none") : t("tools.noMatch")}
          text={tools.length === 0 ? t("tools.noneText") : t("tools.noMatchText")}
        />
      ) : null}
      {shown.length > 0 ? <ToolTable tools={shown} /> : null}
      <Outlet />
    </main>
  );
}
