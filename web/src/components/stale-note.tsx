import { RotateCw } from "lucide-react";
import { Button } from "@/components/button";

type Props = { text: string; action: string; onReload: () => void };

/** Says that somebody else changed what is edited here, and offers to read it again. */
export function StaleNote({ text, action, onReload }: Props) {
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-3 rounded-lg border border-ask-line bg-ask-soft p-3 text-ask"
    >
      <p className="min-w-0 flex-1 basis-56">{text}</p>
      <Button onClick={onReload}>
        <RotateCw aria-hidden />
        {action}
      </Button>
    </div>
  );
}
