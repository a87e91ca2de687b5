import { Button } from "@/components/button";
import { Spinner } from "@/components/spinner";
import { t } from "@/lib/t";

type Props = { isChanged: boolean; isSaving: boolean; onDiscard: () => void };

/** The end of a form: saves what was changed in it, or drops it. */
export function FormButtons({ isChanged, isSaving, onDiscard }: Props) {
  return (
    <div className="flex gap-2">
      <Button type="submit" variant="primary" disabled={!isChanged || isSaving}>
        {isSaving ? <Spinner className="text-current" /> : null}
        {t("action.save")}
      </Button>
      <Button variant="ghost" disabled={!isChanged || isSaving} onClick={onDiscard}>
        {t("action.discard")}
      </Button>
    </div>
  );
}
