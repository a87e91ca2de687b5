import { Button } from "@/components/button";
import { Spinner } from "@/components/spinner";
import { t } from "@/lib/t";
import type { ReviewedChange } from "../use-reviewed-change";

type Props = { change: ReviewedChange; onCancel: () => void };

/** Review, and then Save, which waits for it. */
export function EditorFooter({ change, onCancel }: Props) {
  const { review, mayApply, pending } = change;
  return (
    <div className="border-line border-t bg-rail">
      <div className="mx-auto flex max-w-[880px] flex-wrap items-center gap-2 px-4 py-2.5">
        <Button type="submit" variant={review ? "secondary" : "primary"} disabled={pending !== null}>
          {pending === "review" ? <Spinner className="text-current" /> : null}
          {t("data.review")}
        </Button>
        <Button
          variant={review ? "primary" : "secondary"}
          disabled={!mayApply || pending !== null}
          aria-describedby="data-save-note"
          onClick={change.apply}
        >
          {pending === "apply" ? <Spinner className="text-current" /> : null}
          {t("data.save")}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {t("action.cancel")}
        </Button>
        <span id="data-save-note" className="text-ink-3 text-small max-sm:sr-only">
          {noteOf(change)}
        </span>
      </div>
    </div>
  );
}

function noteOf({ review, mayApply }: ReviewedChange): string {
  if (!review) return t("data.reviewFirst");
  return mayApply ? t("data.savedNow") : t("data.acceptFirst");
}
