import type { EventSwitch, Json, Tool, ToolEvents } from "@/api/types";
import { t } from "@/lib/t";

export const switches = ["off", "name", "data"] as const satisfies EventSwitch[];

type Moment = keyof ToolEvents;
export const moments = ["pre", "post"] as const satisfies Moment[];

export const eventsOf = ({ settings }: Pick<Tool, "settings">): ToolEvents => ({
  pre: "off",
  post: "off",
  ...settings.events,
});

export function switchText(moment: Moment, value: EventSwitch): string {
  return value === "data" ? t(`toolEvents.${moment}Data`) : t(`toolEvents.${value}`);
}

export const pathOf = (moment: Moment): string => `settings.events.${moment}`;

/** The moment that a path of a version is of; undefined for a path of anything else. */
export const momentOf = (path: string): Moment | undefined =>
  moments.find((moment) => path === pathOf(moment));

export const isSwitch = (value: Json): value is EventSwitch => switches.some((each) => each === value);
