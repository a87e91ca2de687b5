import { useMemo } from "react";
import { cellText } from "@/api/json";
import type { Json } from "@/api/types";
import { FieldList } from "@/components/field-list";
import { JsonView } from "@/components/json-view";
import { humanise } from "@/lib/labels";
import { t } from "@/lib/t";
import { WidgetView } from "../widgets/widget-view";
import { HandleView } from "./handle-view";
import { RowsTable } from "./rows-table";
import { shapeOf } from "./shape";

export function ResultView({ value }: { value: Json | undefined }) {
  const shape = useMemo(() => shapeOf(value), [value]);
  switch (shape.kind) {
    case "nothing":
      return <p className="text-ink-3">{t("result.nothing")}</p>;
    case "text":
      return <p className="max-h-80 overflow-y-auto whitespace-pre-wrap break-words">{shape.text}</p>;
    case "widget":
      return <WidgetView output={shape.output} />;
    case "rows":
      return <RowsTable rows={shape.rows} />;
    case "fields":
      return (
        <FieldList
          fields={shape.fields.map(([key, each]) => ({ label: humanise(key), value: cellText(each) }))}
        />
      );
    case "handle":
      return <HandleView handle={shape.handle} />;
    case "json":
      return <JsonView value={value} label={t("result.label")} className="max-h-96" />;
  }
}
