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

/** The deliveries of one webhook, or of all. */
export const deliveriesOf = (webhookId?: string) =>
  defineList({
    document: DeliveriesDocument,
    rows: (data) => data.webhookDeliveries,
    keyOf: ({ id }) => id,
    types: ["Delivery"],
    fields: [
      search("object", "Id of the object"),
      select({ name: "state", label: "State", of: deliveryStates }),
      choices({ name: "webhook", label: "Webhook", useOptions: useWebhooks }),
    ],
    more: [
      choices({ name: "type", label: "Event type", any: "Any event", useOptions: useEventTypes }),
      field("outcome", OutcomeFilter),
      days("Happened"),
    ],
    variables: (page, values) => ({ ...page, filter: deliveryFilter(values, webhookId) }),
  });

interface Props {
  webhookId?: string;
  /** What is left to do until there is one. */
  first?: ReactNode;
}

/** The deliveries of one webhook, or of all, newest first. */
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
          title: "Nothing was delivered yet",
          text: "As soon as an event happens that a webhook is subscribed to, its delivery appears here.",
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

/** Follows the list until the first delivery has ended, for users who try the webhook out. */
function FollowFirst({ rows, filters, refresh, webhookId }: Shown<DeliveryRow> & { webhookId: string | undefined }) {
  const awaited = rows?.every(({ state }) => state === "pending") === true;
  useLive(changesOf(webhookId), refresh, awaited && !filters.filtered);
  return null;
}
