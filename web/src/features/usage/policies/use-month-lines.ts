import { useQuery } from "@tanstack/react-query";
import { usedQuery } from "@/api/usage";
import { thisMonth, today } from "../range";

/** What everybody used this month; none where it can't be told. */
export const useMonthLines = () => useQuery(usedQuery(thisMonth(today()))).data;
