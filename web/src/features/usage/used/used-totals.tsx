import { count } from "@/lib/format";
import { t } from "@/lib/t";
import { type Counts, tokensOf } from "./group";

/** What was used altogether. */
export function UsedTotals({ total }: { total: Counts }) {
  const { inputTokens, outputTokens, cachedTokens, reasoningTokens, requests, steps } = total;
  const figures = [
    { label: t("usage.tokens"), value: tokensOf(total) },
    {
      label: t("usage.input"),
      value: inputTokens,
      note: cachedTokens > 0 ? t("usage.inputNote", { n: cachedTokens }) : null,
    },
    {
      label: t("usage.output"),
      value: outputTokens,
      note: reasoningTokens > 0 ? t("usage.outputNote", { n: reasoningTokens }) : null,
    },
    { label: t("usage.messages"), value: requests },
    { label: t("usage.steps"), value: steps },
  ];
  return (
    <section aria-label={t("usage.summary")} className="overflow-hidden border-line border-b">
      <dl className="-mb-px grid grid-cols-2 md:grid-cols-5">
        {figures.map(({ label, value, note }) => (
          <div
            key={label}
            className="-me-px border-line border-e border-b px-4 py-2.5 max-md:first:col-span-2"
          >
            <dt className="text-ink-2 text-small">{label}</dt>
            <dd className="mt-0.5">
              <span className="block font-semibold text-[22px] leading-8 tabular-nums">{count(value)}</span>
              {note ? <span className="block text-ink-3 text-meta">{note}</span> : null}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
