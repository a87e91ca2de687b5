import type { CallEvent } from "@/api/types";

/** An entry that repeats the state a call had ended in: by it, the payload was erased. */
export function isErasure(events: CallEvent[], index: number): boolean {
  const event = events[index];
  return index > 0 && event !== undefined && event.by !== null && events[index - 1]?.state === event.state;
}
