import { Spinner } from "@/components/spinner";

/** Keeps the place of a widget whose code is on its way, so that the text below does not jump. */
export function Room() {
  return (
    <div className="grid h-70 place-items-center">
      <Spinner />
    </div>
  );
}
