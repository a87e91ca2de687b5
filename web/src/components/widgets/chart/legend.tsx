import { Swatch } from "./tooltip";

/** Which colour is which series; one alone needs none. */
export function Legend({ names }: { names: string[] }) {
  if (names.length < 2) return null;
  return (
    <ul className="flex flex-wrap justify-center gap-x-3 gap-y-0.5 px-2 pt-1.5 text-ink-2 text-small">
      {names.map((name, index) => (
        <li key={name} className="flex min-w-0 max-w-full items-center gap-1.5">
          <Swatch colour={index} />
          <bdi className="max-w-56 truncate" title={name}>
            {name}
          </bdi>
        </li>
      ))}
    </ul>
  );
}
