import type { ReactNode } from "react";

const keyed = /^(\s*(?:- )?)("(?:[^"\\]|\\.)*"|[^\s#"':{[-][^:#]*)(:)(?=\s|$)/;

/** YAML to read: with numbers of its lines, its keys and comments coloured. */
export function YamlText({ text, label }: { text: string; label: string }) {
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    <figure
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      dir="ltr"
      className="overflow-auto rounded-lg border border-line bg-canvas py-2"
    >
      <pre className="w-max min-w-full font-mono text-[12px] leading-[18px]">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other identity
          <code key={index} className="flex px-3">
            <span aria-hidden className="me-4 w-6 shrink-0 select-none text-end text-ink-3">
              {index + 1}
            </span>
            <span className="whitespace-pre">{coloured(line)}</span>
          </code>
        ))}
      </pre>
    </figure>
  );
}

function coloured(line: string): ReactNode {
  if (/^\s*#/.test(line)) return <span className="text-ink-3">{line}</span>;
  const found = keyed.exec(line);
  if (!found) return line;
  const [whole, before, key, colon] = found;
  return (
    <>
      {before}
      <span className="text-(--code-key)">{key}</span>
      {colon}
      {line.slice(whole.length)}
    </>
  );
}
