import { Anchor, Stack, Text } from "@mantine/core";
import { Send } from "lucide-react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { FilterBar, LiveSwitch, SelectFilter } from "../../components/Filters";
import { RelativeTime } from "../../components/RelativeTime";
import { useFilters } from "../../components/useFilters";
import { DeliveriesDocument, type DeliveriesQuery, type DeliveryState } from "./deliveries.generated";
import { DeliveryStatus } from "./WebhookStatus";
import { deliveryStates } from "./webhooks";
import { EventTypesDocument } from "./webhooks.generated";

type Row = DeliveriesQuery["webhookDeliveries"]["nodes"][number];

const columns: Column<Row>[] = [
  {
    header: "Event",
    cell: (delivery) => (
      <Stack gap={2}>
        <Anchor
          component={Link}
          to={`/deliveries/${delivery.id}`}
          fw={550}
          size="sm"
          style={{ overflowWrap: "anywhere" }}
        >
          {delivery.type}
        </Anchor>
        <Text size="xs" c="dimmed">
          <RelativeTime at={delivery.createdAt} />
        </Text>
      </Stack>
    ),
  },
  { header: "State", cell: (delivery) => <DeliveryStatus {...delivery} /> },
  { header: "Attempts", cell: (delivery) => delivery.attemptCount, align: "right", visibleFrom: "sm", width: 100 },
  {
    header: "Next attempt",
    cell: (delivery) => <RelativeTime at={delivery.nextAttemptAt} never="–" />,
    visibleFrom: "sm",
  },
  { header: "Delivered", cell: (delivery) => <RelativeTime at={delivery.deliveredAt} never="–" />, visibleFrom: "md" },
];

const context = { additionalTypenames: ["Delivery"] };

/** The deliveries of one webhook. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const filters = useFilters("state", "type");
  const { state, type } = filters.values;
  const filter = { webhookId, type, state: state && state in deliveryStates ? (state as DeliveryState) : undefined };
  const [{ data, error }, again] = useQuery({
    query: DeliveriesDocument,
    variables: { first: 50, after: filters.after, filter },
    context,
  });
  const [{ data: known }] = useQuery({ query: EventTypesDocument, requestPolicy: "cache-first" });
  return (
    <Stack>
      <FilterBar>
        <SelectFilter
          label="State"
          any="Any state"
          options={Object.entries(deliveryStates).map(([value, { label }]) => ({ value, label }))}
          value={state}
          onChange={(value) => filters.set({ state: value })}
        />
        <SelectFilter
          label="Event type"
          any="Any event"
          searchable
          options={known?.eventTypes.map((kind) => kind.type) ?? []}
          value={type}
          onChange={(value) => filters.set({ type: value })}
        />
        <LiveSwitch refresh={() => again({ requestPolicy: "network-only" })} />
      </FilterBar>
      <DataTable
        label="Deliveries"
        columns={columns}
        rows={data?.webhookDeliveries.nodes}
        rowKey={(delivery) => delivery.id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.webhookDeliveries.pageInfo) }}
        empty={{
          icon: Send,
          title: "Nothing was delivered yet",
          text: "As soon as an event happens that this webhook is subscribed to, its delivery appears here.",
        }}
      />
    </Stack>
  );
}
