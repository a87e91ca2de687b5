import type { ColumnFormat, Shown, Widget } from "@/widgets/spec";
import { TableWidget } from "./table/table-widget";

/** The rows behind a widget, with numbers written as the widget writes them. */
export function AsTable({ shown: { data, widget } }: { shown: Shown }) {
  return <TableWidget data={data} props={{ formats: formatsIn(widget) }} />;
}

function formatsIn(widget: Widget): ColumnFormat[] {
  switch (widget.kind) {
    case "chart":
      return formatted([widget.props.y].flat(), widget.props.format);
    case "kpi": {
      const { value, target, delta, format, deltaFormat } = widget.props;
      return [
        ...formatted(target ? [value, target] : [value], format),
        ...formatted(delta ? [delta] : [], deltaFormat ?? format),
      ];
    }
    case "progress":
      return formatted([widget.props.value, widget.props.target ?? ""], widget.props.format);
    case "flow":
      return formatted([widget.props.label ?? ""], widget.props.format);
    case "pivot": {
      const { column, fn, format } = widget.props.measure;
      return fn === "count" ? [] : formatted([column], format);
    }
    case "table":
    case "card":
    case "list":
      return widget.props.formats ?? [];
  }
}

const formatted = (columns: string[], format: string | undefined): ColumnFormat[] =>
  format ? columns.map((column) => ({ column, format })) : [];
