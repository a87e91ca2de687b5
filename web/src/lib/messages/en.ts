import { approval } from "./en/approval";
import { audit } from "./en/audit";
import { calls } from "./en/calls";
import { chat } from "./en/chat";
import { data } from "./en/data";
import { events } from "./en/events";
import { shell } from "./en/shell";
import { start } from "./en/start";
import { tools } from "./en/tools";
import { usage } from "./en/usage";
import { widgets } from "./en/widgets";

/** The English catalogue. Its keys are the keys that every other language has to fill in. */
export const en = {
  ...shell,
  ...start,
  ...chat,
  ...approval,
  ...calls,
  ...tools,
  ...data,
  ...audit,
  ...events,
  ...usage,
  ...widgets,
};
