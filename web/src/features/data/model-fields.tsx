import { isObject } from "@/api/json";
import type { JsonObject } from "@/api/types";
import { humanise } from "@/lib/labels";
import { t } from "@/lib/t";
import { textAt } from "./editor/draft";
import { FlagBadges } from "./flag-badges";
import { typeText } from "./type-text";

/** The fields of a model, readable: name, title, what its values are, its rules. */
export function ModelFields({ definition }: { definition: JsonObject }) {
  const fields = isObject(definition.fields) ? Object.entries(definition.fields) : [];
  if (fields.length === 0) return <p className="text-ink-3">{t("data.noFields")}</p>;
  return (
    <ul className="rounded-lg border border-line" aria-label={t("data.fields")}>
      {fields.map(([name, value]) => {
        const field = isObject(value) ? value : {};
        const help = textAt(field, "help");
        return (
          <li key={name} className="border-line border-b px-3 py-2 last:border-b-0">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <code className="font-medium font-mono text-small">{name}</code>
              <span>{textAt(field, "title") || humanise(name)}</span>
              <span className="min-w-0 break-words text-ink-3 text-small">{typeText(field)}</span>
            </p>
            <p className="mt-1 flex flex-wrap gap-1 empty:hidden">
              <FlagBadges definition={field} />
            </p>
            {help ? <p className="text-ink-2">{help}</p> : null}
          </li>
        );
      })}
    </ul>
  );
}
