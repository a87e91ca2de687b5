import { type ReactNode, useMemo } from "react";
import type { Json } from "@/api/types";
import { cx } from "@/lib/cx";
import { WITHHELD } from "@/lib/marks";

type Props = { value: Json | undefined; numbers?: boolean; label: string; className?: string };

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** JSON with coloured tokens; the colours are the only thing it adds to the text. */
export function JsonView({ value, numbers = false, label, className }: Props) {
  const lines = useMemo(() => (JSON.stringify(value, null, 2) ?? "").split("\n"), [value]);
  return (
    <figure
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      className={cx("overflow-auto rounded-lg border border-line bg-canvas py-2", className)}
    >
      <pre className="w-max min-w-full font-mono text-[12px] leading-[17.5px]">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity
          <code key={index} className="flex px-3">
            {numbers ? (
              <span aria-hidden className="me-4 w-6 shrink-0 select-none text-end text-ink-3">
                {index + 1}
              </span>
            ) : null}
            <span className="whitespace-pre">{coloured(line)}</span>
          </code>
        ))}
      </pre>
    </figure>
  );
}

function stringClass(text: string, isKey: boolean): string {
  if (isKey) return "text-(--code-key)";
  return text === JSON.stringify(WITHHELD) ? "text-ink-3 italic" : "text-(--code-string)";
}

function coloured(line: string): ReactNode[] {
  const nodes: ReactNode[] = [];
  let end = 0;
  for (const match of line.matchAll(token)) {
    const [text, string, colon] = match;
    nodes.push(line.slice(end, match.index));
    end = match.index + text.length;
    if (string) {
      nodes.push(
        <span key={match.index} className={stringClass(string, Boolean(colon))}>
          {string}
        </span>,
        colon ?? "",
      );
    } else {
      const isWord = /^[tfn]/.test(text);
      nodes.push(
        <span key={match.index} className={isWord ? "text-(--code-word)" : "text-(--code-number)"}>
          {text}
        </span>,
      );
    }
  }
  nodes.push(line.slice(end));
  return nodes;
}
