import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { Button } from "@/components/button";
import { cx } from "@/lib/cx";
import { t } from "@/lib/t";

const places = {
  centre:
    "fade-in start-1/2 top-[12vh] w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 rtl:translate-x-1/2 max-h-[76vh] rounded-xl border",
  end: "slide-in inset-y-0 end-0 w-[min(640px,100vw)] border-s",
  start: "fade-in inset-y-0 start-0 w-[min(280px,86vw)] border-e",
};

type Props = {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  place: keyof typeof places;
  bare?: boolean;
  children: ReactNode;
};

/** A dialog over the page: in the middle, or as a drawer at one of its sides. */
export function Modal({ open, onClose, title, description, place, bare = false, children }: Props) {
  // There is no trigger that Radix could give the focus back to.
  const before = useRef<Element | null>(null);
  const giveBack = (event: Event) => {
    event.preventDefault();
    if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
  };
  return (
    <Dialog.Root open={open} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Overlay className="fade-in fixed inset-0 z-40 bg-shade" />
        <Dialog.Content
          onOpenAutoFocus={() => {
            before.current = document.activeElement;
          }}
          onCloseAutoFocus={giveBack}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={cx(
            "fixed z-50 flex flex-col overflow-hidden border-line bg-canvas shadow-lift outline-none",
            places[place],
          )}
        >
          {bare ? (
            <Dialog.Title className="sr-only">{title}</Dialog.Title>
          ) : (
            <div className="flex items-start gap-3 border-line border-b px-5 py-3.5">
              <div className="min-w-0 flex-1">
                <Dialog.Title className="font-semibold text-title">{title}</Dialog.Title>
                {description ? (
                  <Dialog.Description className="mt-0.5 line-clamp-2 wrap-anywhere text-ink-2">
                    {description}
                  </Dialog.Description>
                ) : null}
              </div>
              <Dialog.Close asChild>
                <Button variant="ghost" size="icon" aria-label={t("action.close")}>
                  <X aria-hidden />
                </Button>
              </Dialog.Close>
            </div>
          )}
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
