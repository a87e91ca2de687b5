import type { UsageLine } from "@/api/types";
import type { UsageGroup } from "@/api/usage-search";

export type Counts = Pick<
  UsageLine,
  "requests" | "steps" | "inputTokens" | "outputTokens" | "cachedTokens" | "reasoningTokens"
>;

/** What was used on one day, by one user, or through one agent or model. */
export type Group = Counts & { key: string; name: string };

const nothing: Counts = {
  requests: 0,
  steps: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
};

const added = (one: Counts, other: Counts): Counts => ({
  requests: one.requests + other.requests,
  steps: one.steps + other.steps,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cachedTokens: one.cachedTokens + other.cachedTokens,
  reasoningTokens: one.reasoningTokens + other.reasoningTokens,
});

export const sumOf = (counts: Counts[]): Counts => counts.reduce(added, nothing);

export const tokensOf = ({ inputTokens, outputTokens }: Counts): number => inputTokens + outputTokens;

const keyOf = (line: UsageLine, by: UsageGroup): string => (by === "user" ? line.userId : line[by]);

/** The lines put together; the newest day is first, else what took the most tokens. */
export function groupsOf(lines: UsageLine[], by: UsageGroup): Group[] {
  const groups = new Map<string, Group>();
  for (const line of lines) {
    const key = keyOf(line, by);
    const name = by === "user" ? line.user : key;
    groups.set(key, { key, name, ...added(groups.get(key) ?? nothing, line) });
  }
  const order =
    by === "day"
      ? (one: Group, other: Group) => other.key.localeCompare(one.key)
      : (one: Group, other: Group) => tokensOf(other) - tokensOf(one) || one.name.localeCompare(other.name);
  return [...groups.values()].sort(order);
}
