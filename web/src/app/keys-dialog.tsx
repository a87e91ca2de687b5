import { Keys } from "@/components/kbd";
import { Modal } from "@/components/modal";
import { t } from "@/lib/t";
import { usePages } from "./use-pages";

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const pages = usePages();
  const rows: [string, string[]][] = [
    [t("palette.open"), ["Ctrl", "K"]],
    [t("keys.pending"), ["Alt", "A"]],
    [t("keys.decide"), ["Ctrl", "Enter"]],
    [t("keys.slash"), ["/"]],
    [t("keys.newLine"), ["Shift", "Enter"]],
    ...pages.flatMap((page): [string, string[]][] =>
      page.keys ? [[t("keys.goTo", { page: t(page.label) }), page.keys]] : [],
    ),
    [t("keys.these"), ["?"]],
  ];
  return (
    <Modal open onClose={onClose} title={t("keys.title")} place="centre">
      <dl className="grid gap-0.5 overflow-y-auto px-5 py-3">
        {rows.map(([label, keys]) => (
          <div key={label} className="flex h-8 items-center justify-between">
            <dt className="text-ink-2">{label}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
