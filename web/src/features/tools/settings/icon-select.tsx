import { Select } from "@/components/field";
import { iconNames, toolIcon } from "@/components/tool/icons";
import { humanise } from "@/lib/labels";
import { t } from "@/lib/t";

type Props = { id: string; kind: string; value: string; onChange: (name: string) => void };

export function IconSelect({ id, kind, value, onChange }: Props) {
  const Icon = toolIcon({ kind, icon: value });
  const isUnknown = value !== "" && !iconNames.includes(value);
  return (
    <div className="flex items-center gap-2">
      <span aria-hidden className="grid size-8 shrink-0 place-items-center rounded-md bg-sunken text-ink-2">
        <Icon className="size-4" />
      </span>
      <Select id={id} width="w-56" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{t("toolSettings.iconOfKind")}</option>
        {isUnknown ? <option value={value}>{t("toolSettings.iconUnknown", { name: value })}</option> : null}
        {iconNames.map((name) => (
          <option key={name} value={name}>
            {humanise(name.replace(/-\d+$/, ""))}
          </option>
        ))}
      </Select>
    </div>
  );
}
