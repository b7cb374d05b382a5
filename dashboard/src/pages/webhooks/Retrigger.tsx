import { Send } from "lucide-react";
import { BulkAction } from "../../components/BulkAction";
import { CountDeliveriesDocument, type DeliveryFilter, RetriggerDeliveriesDocument } from "./deliveries.generated";

/** The maximum number of deliveries per retry. */
const most = 1000;

interface Props {
  /** The IDs of the selected deliveries. */
  ids: string[];
  /** The filters, if they show only failed deliveries. */
  filter: DeliveryFilter | undefined;
  onDone: () => void;
}

const deliveries = (count: number) => (count === 1 ? "1 delivery" : `${count.toLocaleString()} deliveries`);

/** Retries several deliveries: the selected ones, or all failed ones that match the filters. */
export function Retrigger(rows: Props) {
  return (
    <BulkAction
      {...rows}
      hint="Select deliveries to retry."
      all="Retry all failed"
      action={{
        title: "Retry deliveries",
        verb: "Retry",
        icon: Send,
        named: deliveries,
        count: {
          document: CountDeliveriesDocument,
          variables: (filter) => ({ filter }),
          of: ({ webhookDeliveries }) => webhookDeliveries.totalCount,
        },
        document: RetriggerDeliveriesDocument,
        variables: (input) => ({ input }),
        done: "Retries queued",
        text: (count, filtered) => (
          <>
            {filtered ? `Failed deliveries: ${count.toLocaleString()}.` : `${deliveries(count)} selected.`} Each is
            retried immediately, with the same ID and body.
          </>
        ),
        most: {
          count: most,
          text: `You can retry at most ${most.toLocaleString()} deliveries at a time. Narrow the filters, for example by date.`,
        },
      }}
    />
  );
}
