import type { Subscriber } from "@/api/types";
import { t } from "@/lib/t";

export const toolsText = ({ tools }: Pick<Subscriber, "tools">): string =>
  tools.length === 0 ? t("events.allTools") : tools.join(", ");

export const yesNo = (value: boolean): string => (value ? t("events.yes") : t("events.no"));
