import type { DataModel } from "@/api/types";
import { t } from "@/lib/t";

/** Where the records of a model are: the platform's own database, or a table of a connection. */
export function placeOf({ connection, table }: DataModel): string {
  if (connection === null || connection === "main") return t("data.main");
  return table === null ? connection : t("data.place", { connection, table });
}

export function filtered(models: DataModel[], query: string): DataModel[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter((model) => {
    const text = `${model.name} ${model.title} ${model.titlePlural} ${placeOf(model)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
