import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getCall } from "@/api/calls";
import type { Approval, Call } from "@/api/types";
import { isUnfinished } from "./call-status";

/** A call that was just asked for, followed until it has ended. */
export function useLiveCall(first: Call) {
  const client = useQueryClient();
  const queryKey = ["call", first.id, "live"];
  const { data: call } = useQuery<Call>({
    queryKey,
    queryFn: ({ signal }) => getCall(first.id, signal),
    initialData: first,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data && isUnfinished(state.data.status) ? 3_000 : false),
  });
  const onDecided = (approval: Approval, decided: Call | null) => {
    client.setQueryData<Call>(queryKey, { ...(decided ?? call), approval });
    if (!decided || isUnfinished(decided.status)) void client.invalidateQueries({ queryKey });
  };
  return { call, onDecided };
}
