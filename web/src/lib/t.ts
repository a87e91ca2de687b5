import { en } from "./messages/en";

type Plural = { one: string; other: string };
type Source = typeof en;
export type MessageKey = keyof Source;

/** What every language has to fill in: a key that is missing does not type-check. */
export type Messages = { [Key in MessageKey]: Source[Key] extends string ? string : Plural };

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type TextOf<Value> = Value extends Plural ? Value["one"] | Value["other"] : Value;
type Params<Key extends MessageKey> = Names<TextOf<Source[Key]>>;
type Arguments<Key extends MessageKey> = [Params<Key>] extends [never]
  ? []
  : [{ [Name in Params<Key>]: string | number }];

const catalogues: Record<string, Messages> = { en };

export const locale = "en";
const messages: Messages = catalogues[locale] ?? en;
const plurals = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale);

/** The text of a message in the language of the page. `{count}` chooses between one and many. */
export function t<Key extends MessageKey>(key: Key, ...[params]: Arguments<Key>): string {
  const values = (params ?? {}) as Record<string, string | number>;
  const message: string | Plural = messages[key];
  const text = typeof message === "string" ? message : message[pluralOf(values.count)];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? numbers.format(value) : value;
  });
}

function pluralOf(count: string | number | undefined): keyof Plural {
  return plurals.select(Number(count ?? 0)) === "one" ? "one" : "other";
}
