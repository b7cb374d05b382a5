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

/** The newest deliveries of what happened to one record, and the way to all of them. */
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
          title: "Nothing was delivered of this",
          text: "What happens to it from now on is delivered to every webhook that is subscribed to it.",
        }}
      />
      {data?.webhookDeliveries.pageInfo.hasNextPage && (
        <Anchor component={Link} to={narrowed("/deliveries", "object", objectId)} size="sm">
          All its deliveries
        </Anchor>
      )}
    </>
  );
}
