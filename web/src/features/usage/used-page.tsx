import { useQuery } from "@tanstack/react-query";
import { isAdmin, sessionQuery } from "@/api/session";
import type { UsageSearch } from "@/api/usage-search";
import { daysOf, today } from "./range";
import { UsageHeader } from "./usage-header";
import { AllowanceStrip } from "./used/allowance-strip";
import { UsedBar } from "./used/used-bar";
import { UsedList } from "./used/used-list";

type Props = { search: UsageSearch; onSearch: (search: UsageSearch) => void };

/** What language models were used for: by everybody for administrators, else by the reader. */
export function UsedPage({ search, onSearch }: Props) {
  const { data: session } = useQuery(sessionQuery);
  if (!session) return null;
  // Others have their own use alone, and nobody to tell apart.
  const { by, userId, ...range } = search;
  const shown: UsageSearch = isAdmin(session) ? search : { ...range, ...(by && by !== "user" ? { by } : {}) };
  const days = daysOf(shown, today());
  return (
    <main id="main" className="min-h-0 flex-1 overflow-y-auto">
      <UsageHeader view="used" />
      <AllowanceStrip />
      <UsedBar search={shown} days={days} isForAll={isAdmin(session)} onSearch={onSearch} />
      <UsedList search={shown} days={days} />
    </main>
  );
}
