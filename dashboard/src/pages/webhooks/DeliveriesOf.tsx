import { Anchor } from "@mantine/core";
import { Send } from "lucide-react";
import { useMemo } from "react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { DataTable } from "../../components/DataTable";
import { narrowed } from "../../lib/address";
import { DeliveriesDocument } from "./deliveries.generated";
import { deliveryColumns } from "./deliveryColumns";
import { useWebhookChoices, webhookNamed } from "./useWebhookChoices";

const context = { additionalTypenames: ["Delivery"] };

/** The latest deliveries about one record, with a link to all of them. */
export function DeliveriesOf({ objectId }: { objectId: string }) {
  const [{ data, error }, again] = useQuery({
    query: DeliveriesDocument,
    variables: { first: 20, filter: { objectId } },
    context,
  });
  const webhooks = useWebhookChoices();
  const columns = useMemo(() => deliveryColumns((of) => webhookNamed(webhooks, of)), [webhooks]);
  return (
    <>
      <DataTable
        label="Deliveries"
        columns={columns}
        rows={data?.webhookDeliveries.nodes}
        rowKey={(delivery) => delivery.id}
        error={error}
        onRetry={again}
        empty={{
          icon: Send,
          title: "No deliveries yet",
          text: "Future events are sent to every subscribed webhook.",
        }}
      />
      {data?.webhookDeliveries.pageInfo.hasNextPage && (
        <Anchor component={Link} to={narrowed("/deliveries", "object", objectId)} size="sm">
          View all deliveries
        </Anchor>
      )}
    </>
  );
}
