import { isObject } from "@/api/json";
import type { Json, JsonObject } from "@/api/types";

const WIDTH = 100;
const PLAIN = /^\p{L}[\p{L}\p{N}_]*(?:[ ./-][\p{L}\p{N}_]+)*\.?$/u;
/** Words that YAML, old or new, reads as something else than text. */
const WORDS = /^(true|false|null|yes|no|on|off|y|n|nan|inf)$/i;

/** A definition as YAML: a line a key, and a line a field where it is short enough. */
export function toYaml(definition: JsonObject): string {
  return `${Object.entries(definition).flatMap(top).join("\n")}\n`;
}

function top([key, value]: [string, Json]): string[] {
  if (key !== "fields" || !isObject(value) || Object.keys(value).length === 0) return entry(key, value, "");
  return ["fields:", ...Object.entries(value).flatMap(([name, field]) => entry(name, field, "  "))];
}

function entry(key: string, value: Json, pad: string): string[] {
  const line = `${pad}${scalar(key)}: ${flow(value)}`;
  if (line.length <= WIDTH || typeof value !== "object" || value === null) return [line];
  const inside = `${pad}  `;
  const below = Array.isArray(value)
    ? value.map((item) => `${inside}- ${flow(item)}`)
    : Object.entries(value).flatMap(([name, each]) => entry(name, each, inside));
  return [`${pad}${scalar(key)}:`, ...below];
}

function flow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (!isObject(value)) return scalar(value);
  const inside = Object.entries(value).map(([key, each]) => `${scalar(key)}: ${flow(each)}`);
  return inside.length === 0 ? "{}" : `{ ${inside.join(", ")} }`;
}

function scalar(value: Json): string {
  // A JSON string is a double-quoted string of YAML as well.
  if (typeof value !== "string" || !PLAIN.test(value) || WORDS.test(value)) return JSON.stringify(value);
  return value;
}

/** The name that a text gives to its model; read without knowing YAML, for the path to save it at. */
export function nameIn(text: string): string {
  const found = /^(?:name|"name"):[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s#]+))/m.exec(text);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? "";
}

/** The field that a line of a text of `toYaml` is about. */
export function fieldAtLine(text: string, line: number): string | null {
  const lines = text.split("\n");
  const start = lines.indexOf("fields:");
  if (start < 0) return null;
  for (let at = Math.min(line, lines.length) - 1; at > start; at -= 1) {
    const key = /^ {2}("(?:[^"\\]|\\.)*"|[^\s:-][^:]*):/.exec(lines[at] ?? "")?.[1];
    if (key) return key.startsWith('"') ? (JSON.parse(key) as string) : key;
  }
  return null;
}

/** Whether the text has comments, which a form can't keep. */
export const hasComments = (text: string): boolean => /(^|\s)#/m.test(text);
