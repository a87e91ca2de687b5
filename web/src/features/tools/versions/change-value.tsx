import type { Json } from "@/api/types";
import { beginning, valueText } from "./value-text";

/** A value before or after a change: long ones open. */
export function ChangeValue({ path, value }: { path: string; value: Json }) {
  const { text, isLong } = valueText(path, value);
  if (!isLong) return <span className="break-words">{text}</span>;
  return (
    <details className="min-w-0">
      <summary className="rounded-sm break-words">{beginning(text)}</summary>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
        tabIndex={0}
        className="mt-1 max-h-64 overflow-auto whitespace-pre-wrap break-words rounded-md border border-line bg-canvas px-2 py-1 font-mono text-[12px] leading-[17.5px]"
      >
        {text}
      </pre>
    </details>
  );
}
