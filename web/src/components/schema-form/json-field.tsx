import { useState } from "react";
import type { Json } from "@/api/types";
import { TextArea } from "@/components/field";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";

type Props = {
  id: string;
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  invalid?: boolean;
  /** Can be gone through and copied from, but not changed. */
  readOnly?: boolean;
  tall?: boolean;
};

/** Any value, as JSON text. While the text is not JSON, the last value that was stays. */
export function JsonField({ id, value, onChange, invalid = false, readOnly = false, tall = false }: Props) {
  const [text, setText] = useState(() => (value === undefined ? "" : JSON.stringify(value, null, 2)));
  const [broken, setBroken] = useState<string | null>(null);
  const change = (next: string) => {
    setText(next);
    try {
      onChange(next.trim() === "" ? undefined : (JSON.parse(next) as Json));
      setBroken(null);
    } catch (error) {
      setBroken(error instanceof Error ? error.message : t("form.notJson"));
    }
  };
  return (
    <>
      <TextArea
        id={id}
        value={text}
        spellCheck={false}
        readOnly={readOnly}
        dir="ltr"
        data-broken={broken === null ? undefined : ""}
        aria-invalid={invalid || broken !== null}
        aria-describedby={broken ? `${id}-json` : `${id}-note`}
        onChange={(event) => change(event.target.value)}
        className={cx("font-mono text-small read-only:bg-sunken", tall ? "min-h-64" : "min-h-20")}
      />
      {broken ? (
        <p id={`${id}-json`} className="text-danger text-small">
          {broken}
        </p>
      ) : null}
    </>
  );
}
