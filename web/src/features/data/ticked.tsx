/** A text of the server whose names stand between backticks. */
export function Ticked({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other identity
      <code key={index} className="rounded-sm bg-sunken px-1 font-mono text-small">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
