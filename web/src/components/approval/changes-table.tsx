import { ArrowRight } from "lucide-react";
import { Fragment, useState } from "react";
import type { CardChange } from "@/api/types";
import { Button } from "@/components/button";
import { WithheldText } from "@/components/withheld-text";
import { t } from "@/lib/t";

const FIRST = 5;

export function ChangesTable({ changes, total }: { changes: CardChange[]; total: number }) {
  const [all, setAll] = useState(false);
  const shown = all ? changes : changes.slice(0, FIRST);
  const beyond = total - changes.length;
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <div className="max-h-96 overflow-auto">
        <table className="w-full border-collapse">
          <caption className="sr-only">{t("approval.changes")}</caption>
          <thead>
            <tr className="bg-rail text-ink-2 text-small">
              <Heading>{t("approval.field")}</Heading>
              <Heading>{t("approval.before")}</Heading>
              <th aria-hidden className="w-5" />
              <Heading>{t("approval.after")}</Heading>
            </tr>
          </thead>
          <tbody>
            {shown.map((change, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: records that are withheld have one id in common
              <Fragment key={`${index}${change.id}`}>
                <tr className="border-line border-t">
                  <th scope="rowgroup" colSpan={4} className="px-3 pt-2 pb-0.5 text-start font-medium">
                    <WithheldText value={change.display} />
                  </th>
                </tr>
                {change.fields.map((field) => (
                  <tr key={field.field} className="align-baseline">
                    <th scope="row" className="px-3 py-1 text-start font-normal text-ink-2">
                      {field.label}
                    </th>
                    <td className="break-words px-3 py-1 text-ink-2">
                      <del className="decoration-ink-3/60 no-underline">{display(field.before)}</del>
                    </td>
                    <td aria-hidden className="text-ink-3">
                      <ArrowRight className="size-3.5 translate-y-0.5 rtl:rotate-180" />
                    </td>
                    <td className="break-words px-3 py-1 font-semibold">
                      <ins className="no-underline">{display(field.after)}</ins>
                    </td>
                  </tr>
                ))}
                <tr aria-hidden className="h-1" />
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      {changes.length > shown.length || beyond > 0 ? (
        <div className="flex items-center gap-2 border-line border-t px-1.5 py-1 text-ink-2 text-small">
          {changes.length > shown.length ? (
            <Button variant="ghost" size="sm" onClick={() => setAll(true)}>
              {t("approval.showAll", { count: changes.length })}
            </Button>
          ) : null}
          {beyond > 0 ? <span className="px-1.5">{t("approval.beyond", { count: beyond })}</span> : null}
        </div>
      ) : null}
    </div>
  );
}

function Heading({ children }: { children: string }) {
  return (
    <th scope="col" className="px-3 py-1.5 text-start font-medium">
      {children}
    </th>
  );
}

const display = (value: string | null) =>
  value === null || value === "" ? (
    <span className="font-normal text-ink-3 italic">{t("approval.empty")}</span>
  ) : (
    <WithheldText value={value} />
  );
