import { errorText } from "@/lib/error-text";

/** Why a change was not saved. */
export function SaveError({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <p role="alert" className="text-danger">
      {errorText(error)}
    </p>
  );
}
