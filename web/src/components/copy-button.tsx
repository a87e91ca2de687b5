import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/button";
import { announce } from "@/lib/announce";
import { t } from "@/lib/t";

/** Copies a text. Where the browser does not allow it, it says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, setState] = useState<"idle" | "copied" | "failed">("idle");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
      announce(t("result.copied"));
      setTimeout(() => setState("idle"), 2_000);
    } catch {
      setState("failed");
      announce(t("widget.copyFailed"));
    }
  };
  return (
    <>
      {state === "failed" ? <span className="text-danger text-small">{t("widget.copyFailed")}</span> : null}
      <Button variant="ghost" size="icon" aria-label={label} title={label} onClick={() => void copy()}>
        {state === "copied" ? <Check aria-hidden className="text-good" /> : <Copy aria-hidden />}
      </Button>
    </>
  );
}
