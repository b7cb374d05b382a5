import { Dotted, Lines, Quiet, RowLink } from "../../components/cells";
import type { Column } from "../../components/DataTable";
import { RelativeTime } from "../../components/RelativeTime";
import { address } from "../../lib/address";
import type { DeliveriesQuery } from "./deliveries.generated";
import { DeliveryStatus, Outcome } from "./WebhookStatus";

export type DeliveryRow = DeliveriesQuery["webhookDeliveries"]["nodes"][number];

/** The columns of every table of deliveries. Lists that span several webhooks also show the webhook. */
export function deliveryColumns(webhooks?: (id: string) => string): Column<DeliveryRow>[] {
  const event: Column<DeliveryRow> = {
    header: "Event",
    cell: (delivery) => (
      <Lines>
        <RowLink to={address("/deliveries", delivery.id)}>
          <Dotted>{delivery.type}</Dotted>
        </RowLink>
        {webhooks && (
          <Quiet hiddenFrom="sm" lines={1}>
            {webhooks(delivery.webhookId)}
          </Quiet>
        )}
        <Quiet>
          <RelativeTime at={delivery.createdAt} />
        </Quiet>
      </Lines>
    ),
  };
  if (!webhooks) return [event, ...others];
  const webhook: Column<DeliveryRow> = {
    header: "Webhook",
    cell: ({ webhookId }) => <Quiet lines={2}>{webhooks(webhookId)}</Quiet>,
    visibleFrom: "sm",
    width: 240,
  };
  return [event, webhook, ...others];
}

const others: Column<DeliveryRow>[] = [
  { header: "Status", cell: (delivery) => <DeliveryStatus {...delivery} />, width: 140 },
  { header: "Last attempt", cell: ({ outcome }) => <Outcome of={outcome} />, visibleFrom: "sm" },
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
