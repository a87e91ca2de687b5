import type { JsonObject } from "@/api/types";
import { t } from "@/lib/t";
import { textAt } from "./editor/draft";
import { has, isFieldType } from "./editor/field-types";
import { optionsOf } from "./editor/values";

const CHOICES = 5;

/** What the values of a field are: "selection: draft, confirmed, …", "many_to_one → customer". */
export function typeText(definition: JsonObject): string {
  const { type } = definition;
  if (!isFieldType(type)) return textAt(definition, "type");
  if (has(type, "options")) {
    const options = optionsOf(definition.options).map((option) => option.value);
    const shown = options.slice(0, CHOICES).join(", ");
    if (!shown) return type;
    return t("data.typeOptions", { type, options: options.length > CHOICES ? `${shown}, …` : shown });
  }
  if (has(type, "model")) return t("data.typeModel", { type, model: textAt(definition, "model") });
  return type;
}
