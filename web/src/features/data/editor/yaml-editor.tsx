import { type Ref, useId, useImperativeHandle, useRef } from "react";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";

export type YamlEditorHandle = { goTo: (line: number, column: number) => void };

type Props = {
  text: string;
  /** The lines that have a problem. */
  marked: Set<number>;
  onChange: (text: string) => void;
  ref?: Ref<YamlEditorHandle>;
};

const ABOVE = 3;
const line = "font-mono text-[12px] leading-[18px]";

/** The text of a file, with the numbers of its lines beside it. */
export function YamlEditor({ text, marked, onChange, ref }: Props) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  const lines = text.split("\n");
  useImperativeHandle(ref, () => ({
    goTo(at, column) {
      const field = area.current;
      if (!field) return;
      const before = field.value.split("\n").slice(0, at - 1);
      const start = before.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
      field.focus();
      field.setSelectionRange(start, start);
      field.scrollTop = Math.max(0, at - 1 - ABOVE) * (field.scrollHeight / field.value.split("\n").length);
      field.scrollIntoView({ block: "nearest" });
    },
  }));
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium text-small">
        {t("data.yaml")}
      </label>
      <div
        dir="ltr"
        className="flex h-[max(24rem,58dvh)] overflow-hidden rounded-md border border-field-line has-focus-visible:outline-2 has-focus-visible:outline-accent"
      >
        <div
          ref={gutter}
          aria-hidden
          className="shrink-0 select-none overflow-hidden border-line border-e bg-rail py-2 text-end text-ink-3"
        >
          {lines.map((_, index) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity
              key={index}
              className={cx(line, "px-2", marked.has(index + 1) && "bg-danger-soft text-danger")}
            >
              {index + 1}
            </div>
          ))}
          <div className="h-8" />
        </div>
        <textarea
          ref={area}
          id={id}
          value={text}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          aria-invalid={marked.size > 0}
          className={cx(line, "min-w-0 flex-1 resize-none whitespace-pre bg-canvas px-3 py-2 outline-none")}
          onScroll={(event) => {
            if (gutter.current) gutter.current.scrollTop = event.currentTarget.scrollTop;
          }}
          onChange={(event) => onChange(event.target.value)}
        />
      </div>
    </div>
  );
}
