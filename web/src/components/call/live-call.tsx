import type { Call } from "@/api/types";
import { CallOutcome } from "./call-outcome";
import { useLiveCall } from "./use-live-call";

export function LiveCall({ call: first }: { call: Call }) {
  const { call, onDecided } = useLiveCall(first);
  return <CallOutcome call={call} onDecided={onDecided} />;
}
