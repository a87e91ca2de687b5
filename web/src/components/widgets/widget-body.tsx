import { lazy, Suspense } from "react";
import type { Data, Widget } from "@/widgets/spec";
import { CardWidget } from "./card/card-widget";
import { KpiWidget } from "./kpi/kpi-widget";
import { ListWidget } from "./list/list-widget";
import { PivotWidget } from "./pivot/pivot-widget";
import { ProgressWidget } from "./progress/progress-widget";
import { Room } from "./room";
import { TableWidget } from "./table/table-widget";

const ChartWidget = lazy(async () => ({ default: (await import("./chart/chart-widget")).ChartWidget }));
const FlowWidget = lazy(async () => ({ default: (await import("./flow/flow-widget")).FlowWidget }));

type Props = { widget: Widget; data: Data };

export function WidgetBody({ widget, data }: Props) {
  switch (widget.kind) {
    case "chart":
      return (
        <Suspense fallback={<Room />}>
          <ChartWidget data={data} props={widget.props} />
        </Suspense>
      );
    case "flow":
      return (
        <Suspense fallback={<Room />}>
          <FlowWidget data={data} props={widget.props} />
        </Suspense>
      );
    case "table":
      return <TableWidget data={data} props={widget.props} />;
    case "kpi":
      return <KpiWidget data={data} props={widget.props} />;
    case "card":
      return <CardWidget data={data} props={widget.props} />;
    case "list":
      return <ListWidget data={data} props={widget.props} />;
    case "progress":
      return <ProgressWidget data={data} props={widget.props} />;
    case "pivot":
      return <PivotWidget data={data} props={widget.props} />;
  }
}
