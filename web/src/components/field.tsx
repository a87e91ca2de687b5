import type { ComponentProps, ReactNode } from "react";
import { cx } from "@/lib/cx";

export const fieldClass =
  "rounded-md border border-field-line bg-canvas px-2.5 text-base text-ink outline-offset-0 aria-invalid:border-danger disabled:opacity-60";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={cx(fieldClass, "h-8 w-full", className)} {...rest} />;
}

type SelectProps = ComponentProps<"select"> & { width?: string };

export function Select({ width = "w-full", ...rest }: SelectProps) {
  return <select className={cx(fieldClass, "h-8 pe-1", width)} {...rest} />;
}

export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea className={cx(fieldClass, "block min-h-14 w-full resize-y py-1.5", className)} {...rest} />
  );
}

type LabelledProps = {
  id: string;
  label: ReactNode;
  hint?: string | null;
  error?: string | null;
  children: ReactNode;
};

/** A label above its control, with the hint or error below. The control points to it by `${id}-note`. */
export function Labelled({ id, label, hint, error, children }: LabelledProps) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium text-small">
        {label}
      </label>
      {children}
      {error || hint ? (
        <p id={`${id}-note`} className={cx("text-small", error ? "text-danger" : "text-ink-3")}>
          {error || hint}
        </p>
      ) : null}
    </div>
  );
}
