import { useId } from "react";
import type { GrantKind } from "@/api/types";
import { Segmented } from "@/components/segmented";
import { t } from "@/lib/t";

type Props = { value: GrantKind; inConversation: boolean; onChange: (value: GrantKind) => void };

/** For which later calls a decision in favour is too. */
export function GrantChoice({ value, inConversation, onChange }: Props) {
  const id = useId();
  const kinds: GrantKind[] = inConversation ? ["once", "conversation", "always"] : ["once", "always"];
  return (
    <div className="grid basis-full gap-0.5">
      <Segmented
        label={t("grants.later")}
        hideLabel
        describedBy={id}
        value={value}
        options={kinds.map((kind) => ({ value: kind, label: t(`grants.kind.${kind}`) }))}
        onChange={onChange}
      />
      <p id={id} className="text-ink-3 text-small">
        {value === "once" ? t("grants.onceText") : t("grants.laterText")}
      </p>
    </div>
  );
}
