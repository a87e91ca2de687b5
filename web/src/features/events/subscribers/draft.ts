import type { PreMode, Subscriber, SubscriberDraft } from "@/api/types";
import { t } from "@/lib/t";

/** What is set of a subscriber, as it is typed. */
export type Draft = {
  name: string;
  url: string;
  isForAll: boolean;
  tools: string[];
  pre: PreMode;
  post: boolean;
  timeout: string;
  enabled: boolean;
};

export const emptyDraft: Draft = {
  name: "",
  url: "",
  isForAll: true,
  tools: [],
  pre: "off",
  post: true,
  timeout: "10",
  enabled: true,
};

export const draftOf = ({ name, url, tools, pre, post, timeoutMs, enabled }: Subscriber): Draft => ({
  name,
  url: url ?? "",
  isForAll: tools.length === 0,
  tools,
  pre,
  post,
  timeout: timeoutMs === null ? "" : String(timeoutMs / 1000),
  enabled,
});

export const isSame = (one: Draft, other: Draft): boolean => JSON.stringify(one) === JSON.stringify(other);

const LONGEST_NAME = 80;
const SHORTEST = 100;
const LONGEST = 30_000;

/** Seconds as they are typed, in milliseconds. */
const millisecondsOf = (seconds: string): number =>
  Math.round(Number(seconds.trim().replace(",", ".")) * 1000);

/** What is not fit to be sent, in words; null where all is. */
export type Unfit = { name: string | null; url: string | null; tools: string | null; timeout: string | null };

export function unfitOf({ name, url, isForAll, tools, timeout }: Draft): Unfit {
  const ms = millisecondsOf(timeout);
  return {
    name: unfitName([...name.trim()].length),
    url: isSound(url.trim()) ? null : t("events.urlUnfit"),
    tools: isForAll || tools.length > 0 ? null : t("events.toolsNeeded"),
    timeout: ms >= SHORTEST && ms <= LONGEST ? null : t("events.timeoutUnfit"),
  };
}

function unfitName(length: number): string | null {
  if (length === 0) return t("events.nameNeeded");
  return length > LONGEST_NAME ? t("events.nameLong") : null;
}

function isSound(url: string): boolean {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === "" && password === "";
}

export const isFit = (unfit: Unfit): boolean => Object.values(unfit).every((each) => each === null);

export const nothingUnfit: Unfit = { name: null, url: null, tools: null, timeout: null };

/** A draft that is fit, as the server takes it. */
export const sentOf = ({
  name,
  url,
  isForAll,
  tools,
  pre,
  post,
  timeout,
  enabled,
}: Draft): SubscriberDraft => ({
  name: name.trim(),
  url: url.trim(),
  tools: isForAll ? [] : tools,
  pre,
  post,
  timeoutMs: millisecondsOf(timeout),
  enabled,
});
