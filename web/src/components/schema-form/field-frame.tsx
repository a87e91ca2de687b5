import { Braces } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Json } from "@/api/types";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";
import { JsonField } from "./json-field";

type Props = {
  id: string;
  name: string;
  label: string;
  required: boolean;
  hint: string | undefined;
  error: string | undefined;
  group?: boolean;
  /** Only the control: for the one field of a list item or of a chosen shape. */
  bare?: boolean;
  json?: { value: Json | undefined; onChange: (value: Json | undefined) => void };
  children: ReactNode;
};

/** The label line of a field, its hint and error, and a switch to plain JSON for what is nested. */
export function FieldFrame({
  id,
  name,
  label,
  required,
  hint,
  error,
  group = false,
  bare = false,
  json,
  children,
}: Props) {
  const [raw, setRaw] = useState(false);
  const title = (
    <>
      {label}
      {required ? <span className="ms-2 font-normal text-ink-3">{t("form.requiredMark")}</span> : null}
    </>
  );
  const Frame = group ? "fieldset" : "div";
  return (
    <Frame className="grid min-w-0 gap-1.5" {...(group ? { "aria-labelledby": `${id}-label` } : {})}>
      <div className={bare ? "sr-only" : "flex items-center gap-2 font-medium text-small"}>
        {group && !raw ? (
          <span id={`${id}-label`}>{title}</span>
        ) : (
          <label id={`${id}-label`} htmlFor={id}>
            {title}
          </label>
        )}
        <span className="ms-auto truncate font-mono font-normal text-ink-3 text-meta">{name}</span>
        {json && !bare ? (
          <button
            type="button"
            aria-pressed={raw}
            aria-label={t("form.editAsJson", { label })}
            title={t("form.editAsJson", { label })}
            onClick={() => setRaw(!raw)}
            className={cx(
              "grid size-5 place-items-center rounded-sm hover:bg-hover",
              raw ? "text-accent-text" : "text-ink-3",
            )}
          >
            <Braces aria-hidden className="size-3.5" />
          </button>
        ) : null}
      </div>
      {raw && json ? (
        <JsonField id={id} value={json.value} onChange={json.onChange} invalid={Boolean(error)} />
      ) : (
        children
      )}
      {error || hint ? (
        <p
          id={`${id}-note`}
          className={cx("whitespace-pre-line text-small", error ? "text-danger" : "text-ink-3")}
        >
          {error || hint}
        </p>
      ) : null}
    </Frame>
  );
}
