import { Lines, Quiet, RowLink } from "../../components/cells";
import type { Column } from "../../components/DataTable";
import { RelativeTime } from "../../components/RelativeTime";
import type { DeliveriesQuery } from "./deliveries.generated";
import { DeliveryStatus, Outcome } from "./WebhookStatus";

export type DeliveryRow = DeliveriesQuery["webhookDeliveries"]["nodes"][number];

/** What every table of deliveries shows. */
export const deliveryColumns: Column<DeliveryRow>[] = [
  {
    header: "Event",
    cell: (delivery) => (
      <Lines>
        <RowLink to={`/deliveries/${delivery.id}`}>{delivery.type}</RowLink>
        <Quiet>
          <RelativeTime at={delivery.createdAt} />
        </Quiet>
      </Lines>
    ),
  },
  { header: "State", cell: (delivery) => <DeliveryStatus {...delivery} />, width: 140 },
  { header: "Latest call", cell: ({ outcome }) => <Outcome of={outcome} />, visibleFrom: "sm" },
  { header: "Attempts", cell: (delivery) => delivery.attemptCount, align: "right", visibleFrom: "md", width: 100 },
  {
    header: "Next attempt",
    cell: (delivery) => <RelativeTime at={delivery.nextAttemptAt} never="–" />,
    visibleFrom: "md",
  },
  {
    header: "Delivered",
    cell: (delivery) => <RelativeTime at={delivery.deliveredAt} never="–" />,
    visibleFrom: "lg",
  },
];
