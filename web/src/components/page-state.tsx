import type { ReactNode } from "react";
import { Button } from "@/components/button";
import { Spinner } from "@/components/spinner";
import { t } from "@/lib/t";

export function Loading() {
  return (
    <div role="status" className="flex items-center justify-center gap-2 p-12 text-ink-3">
      <Spinner />
      {t("state.loading")}
    </div>
  );
}

export function Failed({ text, onRetry }: { text: string; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 p-12 text-center">
      <p className="max-w-md text-danger">{text}</p>
      <Button onClick={onRetry}>{t("action.retry")}</Button>
    </div>
  );
}

type EmptyProps = { icon: ReactNode; title: string; text: string; children?: ReactNode };

export function Empty({ icon, title, text, children }: EmptyProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-1 px-6 py-16 text-center">
      <span className="mb-2 grid size-10 place-items-center rounded-lg border border-line bg-rail text-ink-3 [&_svg]:size-5">
        {icon}
      </span>
      <h2 className="font-semibold text-ink">{title}</h2>
      <p className="text-ink-2">{text}</p>
      {children ? <div className="mt-3 flex gap-2">{children}</div> : null}
    </div>
  );
}
