import type { JsonObject, UsageLine } from "@/api/types";
import type { Days } from "@/api/usage";
import { t } from "@/lib/t";
import { everyDay, everyMonth } from "../range";
import { type Counts, sumOf } from "./group";

const MOST_DAYS = 92;

/** What was used as a chart of days, or of months where there are many: also those without any use. */
export function chartOf(lines: UsageLine[], days: Days): JsonObject {
  const all = everyDay(days);
  const isByDay = all.length <= MOST_DAYS;
  const times = isByDay ? all : everyMonth(days);
  const timeOf = ({ day }: UsageLine) => (isByDay ? day : `${day.slice(0, 7)}-01`);
  const used = new Map<string, Counts>();
  for (const line of lines) {
    const known = used.get(timeOf(line));
    used.set(timeOf(line), known ? sumOf([known, line]) : line);
  }
  return {
    widget: "chart",
    title: isByDay ? t("usage.chart") : t("usage.chartMonths"),
    props: { kind: "bar", x: "day", y: ["input", "output"], stacked: true, format: "integer" },
    columns: [
      { name: "day", title: isByDay ? t("usage.day") : t("usage.month"), type: "date" },
      { name: "input", title: t("usage.input"), type: "integer" },
      { name: "output", title: t("usage.output"), type: "integer" },
    ],
    rows: times.map((day) => ({
      day,
      input: used.get(day)?.inputTokens ?? 0,
      output: used.get(day)?.outputTokens ?? 0,
    })),
    truncated: false,
  };
}
