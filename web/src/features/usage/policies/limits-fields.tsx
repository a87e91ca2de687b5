import { TextInput } from "@/components/text-input";
import { t } from "@/lib/t";
import type { LimitsDraft, UnfitLimits } from "./draft";

type Props = {
  draft: LimitsDraft;
  unfit: UnfitLimits;
  onChange: (change: Partial<LimitsDraft>) => void;
};

/** How much there may be. */
export function LimitsFields({ draft, unfit, onChange }: Props) {
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <TextInput
        label={t("usage.tokensLabel")}
        hint={t("usage.tokensHint")}
        error={unfit.tokens}
        value={draft.tokens}
        onChange={(tokens) => onChange({ tokens })}
      />
      <TextInput
        label={t("usage.messagesLabel")}
        hint={t("usage.messagesHint")}
        error={unfit.messages}
        value={draft.messages}
        onChange={(messages) => onChange({ messages })}
      />
    </div>
  );
}
