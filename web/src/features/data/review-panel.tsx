import { CornerDownRight, TriangleAlert } from "lucide-react";
import { type Ref, useId } from "react";
import { t } from "@/lib/t";
import { Ticked } from "./ticked";
import type { ReviewedChange } from "./use-reviewed-change";

type Props = { change: ReviewedChange; ref?: Ref<HTMLElement> };

/** What a change does to the tables, and what is lost by it. */
export function ReviewPanel({ change, ref }: Props) {
  const id = useId();
  const { review, accepted, accept, pending } = change;
  if (!review) return null;
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      className="grid gap-3 rounded-xl border border-line p-4 outline-none"
    >
      <h2 id={`${id}-title`} className="font-semibold">
        {t("data.whatHappens")}
      </h2>
      {review.steps.length === 0 ? (
        <p className="text-ink-2">{t("data.noSteps")}</p>
      ) : (
        <ul className="grid gap-1.5">
          {review.steps.map((step) => (
            <li key={step} className="flex items-start gap-2">
              <CornerDownRight aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3 rtl:-scale-x-100" />
              <span className="min-w-0 break-words">
                <Ticked text={step} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {review.losses.length > 0 ? (
        <div className="grid gap-2 rounded-lg border border-danger-line bg-danger-soft p-3 text-danger">
          <h3 className="flex items-center gap-2 font-semibold">
            <TriangleAlert aria-hidden className="size-4 shrink-0" />
            {t("data.isLost")}
          </h3>
          <ul className="list-disc ps-5">
            {review.losses.map((loss) => (
              <li key={loss} className="break-words">
                {loss.replaceAll("`", "")}
              </li>
            ))}
          </ul>
          <label className="flex items-center gap-2 font-medium">
            <input
              type="checkbox"
              className="size-4 shrink-0 accent-danger"
              checked={accepted}
              disabled={pending !== null}
              onChange={(event) => accept(event.target.checked)}
            />
            {t("data.acceptLoss")}
          </label>
        </div>
      ) : null}
    </section>
  );
}
