import type { Json } from "@/api/types";

/** `digits` × 10^-`scale`. Money and other decimals are never a float on the way to the screen. */
export type Decimal = { digits: bigint; scale: number };

export const zero: Decimal = { digits: 0n, scale: 0 };

const written = /^([+-]?)(\d{1,400})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Reads a number, or a text that is one. Anything else is `null`. */
export function decimalOf(value: Json | undefined): Decimal | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const [, sign, whole, part = "", exponent = "0"] = written.exec(String(value).trim()) ?? [];
  if (whole === undefined) return null;
  const digits = BigInt(`${sign === "-" ? "-" : ""}${whole}${part}`);
  const scale = part.length - Number(exponent);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  const to = (each: Decimal) => each.digits * 10n ** BigInt(scale - each.scale);
  return [to(a), to(b), scale];
}

export function add(a: Decimal, b: Decimal): Decimal {
  const [left, right, scale] = aligned(a, b);
  return { digits: left + right, scale };
}

export function compare(a: Decimal, b: Decimal): number {
  const [left, right] = aligned(a, b);
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Divides by a count, to two more places than the number has (four at least), halves away from zero. */
export function divide(a: Decimal, count: number): Decimal {
  const scale = Math.max(a.scale + 2, 4);
  const digits = a.digits * 10n ** BigInt(scale - a.scale);
  const by = BigInt(count);
  const half = digits < 0n ? -(by / 2n) : by / 2n;
  return trimmed({ digits: (digits + half) / by, scale }, a.scale);
}

/** Takes off zeros at the end, down to `least` places. */
function trimmed({ digits, scale }: Decimal, least: number): Decimal {
  let [rest, places] = [digits, scale];
  while (places > least && rest % 10n === 0n) [rest, places] = [rest / 10n, places - 1];
  return { digits: rest, scale: places };
}

export function textOf({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? "-" : "";
  const all = String(digits < 0n ? -digits : digits).padStart(scale + 1, "0");
  if (scale === 0) return sign + all;
  return `${sign}${all.slice(0, all.length - scale)}.${all.slice(all.length - scale)}`;
}

/** For drawing only. */
export const toNumber = (value: Decimal): number => Number(textOf(value));

/** A number to draw with; what is none, or too large for a screen to tell, is `null`. */
export function drawable(value: Json | undefined): number | null {
  const decimal = decimalOf(value);
  const number = decimal ? toNumber(decimal) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}
