import { isObject, isScalarList } from "@/api/json";
import type { Json } from "@/api/types";
import { t } from "@/lib/t";
import { isSwitch, momentOf, switchText } from "../events/switches";
import { audienceText, chosenOf, isEmpty, kindOf } from "../sharing/audience";

const LONG = 80;

/** A value of a version: its text, and whether it is better folded. */
export type ValueText = { text: string; isLong: boolean };

export function valueText(path: string, value: Json): ValueText {
  const text = textAt(path, value);
  return { text, isLong: text.length > LONG || text.includes("\n") };
}

function textAt(path: string, value: Json): string {
  if (path === "audience") return audience(value);
  const moment = momentOf(path);
  return moment && isSwitch(value) ? switchText(moment, value) : plain(value);
}

function plain(value: Json): string {
  if (value === null) return t("versions.none");
  if (typeof value === "boolean") return value ? t("versions.yes") : t("versions.no");
  if (Array.isArray(value) && isScalarList(value)) return value.map(String).join(", ") || t("versions.none");
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

function audience(value: Json): string {
  if (value === null) return audienceText("editors");
  if (!isObject(value)) return plain(value);
  const read = {
    everyone: value.everyone === true,
    users: strings(value.users),
    roles: strings(value.roles),
  };
  const kind = kindOf(read);
  const chosen = chosenOf(read);
  return kind === "some" && !isEmpty(chosen)
    ? [...chosen.users, ...chosen.roles].join(", ")
    : audienceText(kind);
}

const strings = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);

export const beginning = (text: string): string =>
  t("versions.long", { start: text.slice(0, LONG).replace(/\s+/g, " ").trim() });
