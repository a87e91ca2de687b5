import type { Connection } from "@/api/types";
import { ColumnHeading } from "@/components/column-heading";
import { count } from "@/lib/format";
import { t } from "@/lib/t";
import { ReadOnlyChip } from "./chips";
import { Ticked } from "./ticked";

const databases: Record<Connection["database"], string> = {
  sqlite: "SQLite",
  postgres: "PostgreSQL",
  mysql: "MySQL",
};

export function ConnectionTable({ connections }: { connections: Connection[] }) {
  return (
    <>
      <p className="border-line border-b px-4 py-2.5 text-ink-2">
        <Ticked text={t("data.connectionsText")} />
      </p>
      <table className="w-full table-fixed border-collapse" aria-label={t("data.connections")}>
        <thead>
          <tr className="h-8 border-line border-b text-ink-2 text-small">
            <ColumnHeading className="ps-4">{t("data.connection")}</ColumnHeading>
            <ColumnHeading className="w-36 max-sm:w-24">{t("data.database")}</ColumnHeading>
            <ColumnHeading end className="w-20 max-sm:w-16">
              {t("data.modelsShort")}
            </ColumnHeading>
            <ColumnHeading className="w-40 ps-6 pe-4 max-sm:w-24 max-sm:ps-3">
              {t("data.access")}
            </ColumnHeading>
          </tr>
        </thead>
        <tbody>
          {connections.map((connection) => (
            <tr key={connection.name} className="h-row border-line border-b">
              <td className="truncate ps-4 pe-3 font-mono text-small">{connection.name}</td>
              <td className="text-ink-2">{databases[connection.database]}</td>
              <td className="text-end text-ink-2 tabular-nums">{count(connection.models)}</td>
              <td className="ps-6 pe-4 max-sm:ps-3">
                {connection.readOnly ? (
                  <ReadOnlyChip />
                ) : (
                  <span className="text-ink-3 text-small">{t("data.readWrite")}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
