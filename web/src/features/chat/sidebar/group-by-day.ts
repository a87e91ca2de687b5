import type { ConversationLine } from "@/api/types";
import type { MessageKey } from "@/lib/t";

type DayKey = Extract<MessageKey, `day.${string}`>;
export type DayGroup = { key: DayKey; items: ConversationLine[] };

export function groupByDay(lines: ConversationLine[], now = new Date()): DayGroup[] {
  const groups: DayGroup[] = [];
  for (const line of lines) {
    const key = dayOf(new Date(line.updatedAt), now);
    const group = groups.find((each) => each.key === key);
    if (group) group.items.push(line);
    else groups.push({ key, items: [line] });
  }
  return groups;
}

function dayOf(at: Date, now: Date): DayKey {
  const midnight = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
  const days = Math.round((midnight(now) - midnight(at)) / 86_400_000);
  if (days <= 0) return "day.today";
  if (days === 1) return "day.yesterday";
  return days < 7 ? "day.week" : "day.older";
}
