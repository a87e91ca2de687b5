import type { JsonSchema } from "@/api/types";
import { fieldOf, resolve, variantTitle } from "@/components/schema-form/schema";
import { t } from "@/lib/t";

const CHOICES = 8;

/** The type of an argument in words: "text", "one of draft, shipped", "list of objects". */
export function typeText(schema: JsonSchema, root: JsonSchema, depth = 0): string {
  const field = fieldOf(schema, root);
  switch (field.kind) {
    case "choice": {
      const shown = field.options.slice(0, CHOICES).map(String).join(", ");
      return t("type.choice", { options: field.options.length > CHOICES ? `${shown}, …` : shown });
    }
    case "list":
      return depth > 1 ? t("type.anyList") : t("type.list", { of: typeText(field.items, root, depth + 1) });
    case "union":
      return t("type.union", {
        variants: field.variants
          .map((each, index) =>
            depth > 0 || each.$ref
              ? variantTitle(each, root, index)
              : typeText(resolve(each, root), root, depth + 1),
          )
          .join(" | "),
      });
    case "text":
      return schema.format ? t("type.formatted", { format: schema.format }) : t("type.text");
    default:
      return t(`type.${field.kind}`);
  }
}
