import { ArrowRight } from "lucide-react";
import type { VersionChange } from "@/api/types";
import { t } from "@/lib/t";
import { ChangeValue } from "./change-value";
import { pathText } from "./path-text";

type Props = { version: number; changes: VersionChange[] };

/** What a version changed of the one before it. */
export function ChangeList({ version, changes }: Props) {
  return (
    <table className="w-full table-fixed border-collapse">
      <caption className="sr-only">{t("versions.changes", { n: version })}</caption>
      <colgroup>
        <col className="w-1/3" />
        <col />
        <col className="w-8" />
        <col />
      </colgroup>
      <thead className="sr-only">
        <tr>
          <th scope="col">{t("approval.field")}</th>
          <th scope="col">{t("approval.before")}</th>
          <td />
          <th scope="col">{t("approval.after")}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ path, before, after }) => (
          <tr key={path} className="align-baseline">
            <th scope="row" title={path} className="break-words py-1 pe-3 text-start font-normal text-ink-2">
              {pathText(path)}
            </th>
            <td className="py-1 text-ink-2">
              <del className="no-underline">
                <ChangeValue path={path} value={before} />
              </del>
            </td>
            <td aria-hidden className="text-center text-ink-3">
              <ArrowRight className="inline size-3.5 rtl:rotate-180" />
            </td>
            <td className="py-1 font-medium">
              <ins className="no-underline">
                <ChangeValue path={path} value={after} />
              </ins>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
