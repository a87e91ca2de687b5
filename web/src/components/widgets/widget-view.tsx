import { lazy, Suspense } from "react";
import type { JsonObject } from "@/api/types";
import { JsonView } from "@/components/json-view";
import { t } from "@/lib/t";
import { Boundary } from "./boundary";
import { Room } from "./room";

const WidgetCard = lazy(async () => ({ default: (await import("./widget-card")).WidgetCard }));

/** A widget whose code is only loaded when there is one to draw. Without its code it is still readable. */
export function WidgetView({ output }: { output: JsonObject }) {
  return (
    <Boundary instead={<JsonView value={output} label={t("result.label")} className="max-h-96" />}>
      <Suspense fallback={<Framed />}>
        <WidgetCard output={output} />
      </Suspense>
    </Boundary>
  );
}

function Framed() {
  return (
    <div className="rounded-xl border border-line pt-11">
      <Room />
    </div>
  );
}
