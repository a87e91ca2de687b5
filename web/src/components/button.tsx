import type { ComponentProps } from "react";
import { cx } from "@/lib/cx";

const variants = {
  primary: "bg-accent text-accent-ink hover:bg-accent-hover border-transparent",
  secondary: "bg-canvas text-ink border-line hover:bg-hover",
  ghost: "border-transparent text-ink-2 hover:bg-hover hover:text-ink",
  danger: "bg-danger text-danger-ink hover:bg-danger-hover border-transparent",
};
const sizes = { md: "h-8 px-3 gap-2", sm: "h-7 px-2.5 gap-1.5 text-small", icon: "size-8 justify-center" };

type Props = ComponentProps<"button"> & { variant?: keyof typeof variants; size?: keyof typeof sizes };

export function buttonClass(variant: keyof typeof variants = "secondary", size: keyof typeof sizes = "md") {
  return cx(
    "inline-flex shrink-0 select-none items-center whitespace-nowrap rounded-md border font-medium",
    "transition-colors disabled:cursor-not-allowed disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
    variants[variant],
    sizes[size],
  );
}

export function Button({ variant, size, className, type = "button", ...rest }: Props) {
  return <button type={type} className={cx(buttonClass(variant, size), className)} {...rest} />;
}
