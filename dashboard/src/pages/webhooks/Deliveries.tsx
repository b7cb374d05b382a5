import { Stack } from "@mantine/core";
import { Send } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { days } from "../../components/DayFilter";
import { choices, field, search, select } from "../../components/fields";
import { List, type Shown } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { useLive } from "../../components/useLive";
import { deliveryFilter } from "./deliveries";
import { DeliveriesChangedDocument, DeliveriesDocument } from "./deliveries.generated";
import { type DeliveryRow, deliveryColumns } from "./deliveryColumns";
import { OutcomeFilter, useEventTypes, useWebhooks } from "./deliveryFields";
import { Retrigger } from "./Retrigger";
import { useWebhookChoices, webhookNamed } from "./useWebhookChoices";
import { deliveryStates } from "./webhooks";

/** The list of deliveries, of one webhook or all. */
export const deliveriesOf = (webhookId?: string) =>
  defineList({
    document: DeliveriesDocument,
    rows: (data) => data.webhookDeliveries,
    keyOf: ({ id }) => id,
    types: ["Delivery"],
    fields: [
      search("object", "Object ID"),
      select({ name: "state", label: "Status", of: deliveryStates }),
      choices({ name: "webhook", label: "Webhook", useOptions: useWebhooks }),
    ],
    more: [
      choices({ name: "type", label: "Event type", any: "Any event", useOptions: useEventTypes }),
      field("outcome", OutcomeFilter),
      days("Created"),
    ],
    variables: (page, values) => ({ ...page, filter: deliveryFilter(values, webhookId) }),
  });

interface Props {
  webhookId?: string;
  /** Shown until there is a delivery: the next steps. */
  first?: ReactNode;
}

/** The deliveries of one webhook or all, newest first. */
export function Deliveries({ webhookId, first }: Props) {
  const list = useMemo(() => deliveriesOf(webhookId), [webhookId]);
  const webhooks = useWebhookChoices();
  const columns = useMemo(
    () => deliveryColumns(webhookId ? undefined : (of) => webhookNamed(webhooks, of)),
    [webhookId, webhooks],
  );
  return (
    <Stack>
      <List
        list={list}
        label="Deliveries"
        columns={columns}
        without={webhookId ? ["webhook"] : []}
        live={(values) => changesOf(webhookId ?? values.webhook)}
        selectable={nameOf}
        above={({ rows, filters, selected, done }) => {
          const filter = deliveryFilter(filters.values, webhookId);
          const failed = filter.state === "failed" && rows && rows.length > 0;
          return <Retrigger ids={selected} filter={failed ? filter : undefined} onDone={done} />;
        }}
        empty={{
          icon: Send,
          title: "No deliveries yet",
          text: "Deliveries appear here when a subscribed event happens.",
          action: () => first,
        }}
      >
        {(shown) => first && <FollowFirst {...shown} webhookId={webhookId} />}
      </List>
    </Stack>
  );
}

const changesOf = (webhookId: string | undefined) => ({
  document: DeliveriesChangedDocument,
  variables: { webhookId },
});

const nameOf = ({ id, type }: DeliveryRow) => `${type} ${id}`;

/** Refreshes the list until the first delivery has finished, for users who test a webhook. */
function FollowFirst({ rows, filters, refresh, webhookId }: Shown<DeliveryRow> & { webhookId: string | undefined }) {
  const awaited = rows?.every(({ state }) => state === "pending") === true;
  useLive(changesOf(webhookId), refresh, awaited && !filters.filtered);
  return null;
}
