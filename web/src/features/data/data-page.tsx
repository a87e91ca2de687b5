import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { Database, Plus } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { modelsQuery } from "@/api/models";
import type { DataModel } from "@/api/types";
import { buttonClass } from "@/components/button";
import { OnlyFor } from "@/components/only-for";
import { PageHeader } from "@/components/page-header";
import { Empty, Failed, Loading } from "@/components/page-state";
import { SearchField } from "@/components/search-field";
import { Segmented } from "@/components/segmented";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { ConnectionTable } from "./connection-table";
import { filtered } from "./filter";
import { ModelTable } from "./model-table";

type View = "models" | "connections";

/** The data models and the databases that they are in. */
export function DataPage() {
  return (
    <OnlyFor page="data">
      <DataLists />
      <Outlet />
    </OnlyFor>
  );
}

function DataLists() {
  const { data, error, refetch } = useQuery(modelsQuery);
  const [view, setView] = useState<View>("models");
  const [typed, setTyped] = useState("");
  const query = useDeferredValue(typed);
  const shown = useMemo(() => filtered(data?.models ?? [], query), [data, query]);
  return (
    <main id="main" className="flex min-h-0 flex-1 flex-col">
      <PageHeader title={t("nav.data")} count={view === "models" ? shown.length : data?.connections.length}>
        {view === "models" ? (
          <SearchField
            label={t("data.search")}
            value={typed}
            onChange={setTyped}
            className="max-sm:order-1"
          />
        ) : null}
        <Segmented
          label={t("data.view")}
          hideLabel
          value={view}
          options={[
            { value: "models", label: t("data.modelsShort") },
            { value: "connections", label: t("data.connections") },
          ]}
          onChange={setView}
        />
        <Link to="/data/new-model" className={`ms-auto ${buttonClass("primary")}`}>
          <Plus aria-hidden />
          <span className="max-sm:sr-only">{t("data.new")}</span>
        </Link>
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {error ? <Failed text={errorText(error)} onRetry={() => void refetch()} /> : null}
        {data || error ? null : <Loading />}
        {data && view === "models" ? <ShownModels shown={shown} all={data.models.length} /> : null}
        {data && view === "connections" ? <ConnectionTable connections={data.connections} /> : null}
      </div>
    </main>
  );
}

function ShownModels({ shown, all }: { shown: DataModel[]; all: number }) {
  if (shown.length > 0) return <ModelTable models={shown} />;
  const none = all === 0;
  return (
    <Empty
      icon={<Database aria-hidden />}
      title={none ? t("data.none") : t("data.noMatch")}
      text={none ? t("data.noneText") : t("data.noMatchText")}
    >
      {none ? (
        <Link to="/data/new-model" className={buttonClass("primary")}>
          {t("data.new")}
        </Link>
      ) : null}
    </Empty>
  );
}
