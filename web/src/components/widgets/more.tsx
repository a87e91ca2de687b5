import { type ReactNode, useState } from "react";
import { Button } from "@/components/button";
import { t } from "@/lib/t";

type Props<Item> = { items: Item[]; first: number; children: (items: Item[]) => ReactNode };

/** The first of many, and the rest on request. */
export function More<Item>({ items, first, children }: Props<Item>) {
  const [all, setAll] = useState(false);
  const rest = items.length - first;
  return (
    <>
      {children(all ? items : items.slice(0, first))}
      {rest > 0 && !all ? (
        <div className="border-line border-t p-1">
          <Button variant="ghost" size="sm" onClick={() => setAll(true)}>
            {t("widget.showMore", { count: rest })}
          </Button>
        </div>
      ) : null}
    </>
  );
}
