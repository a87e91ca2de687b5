import { Button } from "@/components/button";
import { t } from "@/lib/t";

type Props = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };

/** The way to the next page of a list; nothing where there is none. */
export function MoreButton({ hasNextPage, isFetchingNextPage, fetchNextPage }: Props) {
  if (!hasNextPage) return null;
  return (
    <div className="p-3 text-center">
      <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t("action.more")}
      </Button>
    </div>
  );
}
