import type { Delivery } from "@/api/types";
import { ColumnHeading } from "@/components/column-heading";
import { t } from "@/lib/t";
import { DeliveryRow } from "./delivery-row";
import type { DeadAction } from "./use-dead";

type Props = {
  deliveries: Delivery[];
  isBusy: boolean;
  onDead: (delivery: Delivery, action: DeadAction) => void;
};

export function DeliveryTable({ deliveries, isBusy, onDead }: Props) {
  return (
    <table className="w-full table-fixed border-collapse" aria-label={t("events.deliveries")}>
      <thead>
        <tr className="h-8 border-line border-b text-ink-2 text-small">
          <ColumnHeading className="w-44 ps-4 max-md:hidden">{t("events.when")}</ColumnHeading>
          <ColumnHeading className="w-20 max-md:hidden">{t("events.event")}</ColumnHeading>
          <ColumnHeading className="max-md:ps-4">{t("events.tool")}</ColumnHeading>
          <ColumnHeading className="w-36 max-lg:hidden">{t("events.subscriber")}</ColumnHeading>
          <ColumnHeading className="w-1/4 max-xl:hidden">{t("events.error")}</ColumnHeading>
          <ColumnHeading end className="w-20 max-lg:hidden">
            {t("events.attempts")}
          </ColumnHeading>
          <ColumnHeading className="w-32 ps-6 max-lg:hidden">{t("events.next")}</ColumnHeading>
          <ColumnHeading className="w-56 pe-4 max-md:w-24 max-lg:ps-3">{t("events.status")}</ColumnHeading>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} isBusy={isBusy} onDead={onDead} />
        ))}
      </tbody>
    </table>
  );
}
