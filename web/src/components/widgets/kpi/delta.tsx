import { Minus, TrendingDown, TrendingUp } from "lucide-react";
import { cx } from "@/lib/cx";
import type { Decimal } from "@/widgets/decimal";
import { numberText } from "@/widgets/format";
import type { Format } from "@/widgets/spec";

type Props = { value: Decimal; format: Format | undefined; lowerIsBetter: boolean | undefined };

export function Delta({ value, format, lowerIsBetter = false }: Props) {
  const rises = value.digits > 0n;
  const still = value.digits === 0n;
  const Arrow = still ? Minus : rises ? TrendingUp : TrendingDown;
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1 font-medium text-small tabular-nums",
        still ? "text-ink-2" : rises === lowerIsBetter ? "text-danger" : "text-good",
      )}
    >
      <Arrow aria-hidden className="size-3.5" />
      <bdi>{numberText(value, format, { sign: true })}</bdi>
    </span>
  );
}
