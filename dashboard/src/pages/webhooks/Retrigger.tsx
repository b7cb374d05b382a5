import { Send } from "lucide-react";
import { BulkAction } from "../../components/BulkAction";
import { CountDeliveriesDocument, type DeliveryFilter, RetriggerDeliveriesDocument } from "./deliveries.generated";

/** How many are taken at once. */
const most = 1000;

interface Props {
  /** Those that are selected. */
  ids: string[];
  /** The filters, when they show failed deliveries and nothing else. */
  filter: DeliveryFilter | undefined;
  onDone: () => void;
}

const deliveries = (count: number) => (count === 1 ? "1 delivery" : `${count.toLocaleString()} deliveries`);

/** Sends several deliveries once more: those that are selected, or all failed ones that the filters show. */
export function Retrigger(rows: Props) {
  return (
    <BulkAction
      {...rows}
      hint="Select deliveries to send them once more."
      all="Re-trigger all that failed"
      action={{
        title: "Send once more",
        verb: "Re-trigger",
        icon: Send,
        named: deliveries,
        count: {
          document: CountDeliveriesDocument,
          variables: (filter) => ({ filter }),
          of: ({ webhookDeliveries }) => webhookDeliveries.totalCount,
        },
        document: RetriggerDeliveriesDocument,
        variables: (input) => ({ input }),
        done: "The attempts were asked for",
        text: (count, filtered) => (
          <>
            {filtered ? `These filters show ${deliveries(count)} that failed.` : `${deliveries(count)} selected.`} Each
            is attempted once more at once, with the same id and the same bytes.
          </>
        ),
        most: {
          count: most,
          text: `At most ${most.toLocaleString()} are sent at a time. Narrow the filters, for example by the day on which it happened.`,
        },
      }}
    />
  );
}
