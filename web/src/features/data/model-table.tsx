import { Link } from "@tanstack/react-router";
import type { DataModel } from "@/api/types";
import { ColumnHeading } from "@/components/column-heading";
import { count } from "@/lib/format";
import { t } from "@/lib/t";
import { OriginChip, ReadOnlyChip } from "./chips";
import { placeOf } from "./filter";

export function ModelTable({ models }: { models: DataModel[] }) {
  return (
    <table className="w-full table-fixed border-collapse" aria-label={t("data.models")}>
      <thead>
        <tr className="h-8 border-line border-b text-ink-2 text-small">
          <ColumnHeading className="ps-4">{t("data.model")}</ColumnHeading>
          <ColumnHeading className="w-64 max-md:hidden">{t("data.where")}</ColumnHeading>
          <ColumnHeading end className="w-20 max-sm:hidden">
            {t("data.fields")}
          </ColumnHeading>
          <ColumnHeading className="w-44 ps-6 pe-4 max-sm:w-28 max-sm:ps-2">{t("data.from")}</ColumnHeading>
        </tr>
      </thead>
      <tbody>
        {models.map((model) => (
          <tr key={model.name} className="relative h-row border-line border-b hover:bg-rail">
            <td className="truncate ps-4 pe-3">
              <Link
                to="/data/$name"
                params={{ name: model.name }}
                className="font-medium before:absolute before:inset-0"
              >
                {model.title}
              </Link>{" "}
              <span className="ms-1.5 font-mono text-ink-3 text-meta">{model.name}</span>
            </td>
            <td className="truncate pe-3 text-ink-2 max-md:hidden">{placeOf(model)}</td>
            <td className="text-end text-ink-2 tabular-nums max-sm:hidden">{count(model.fields)}</td>
            <td className="ps-6 pe-4 max-sm:ps-2">
              <span className="flex gap-1">
                <OriginChip origin={model.origin} />
                {model.readOnly ? (
                  <span className="max-sm:sr-only">
                    <ReadOnlyChip />
                  </span>
                ) : null}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
