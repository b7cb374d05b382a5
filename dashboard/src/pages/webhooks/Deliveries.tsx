import { Anchor, Stack, Text } from "@mantine/core";
import { Send } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { RelativeTime } from "../../components/RelativeTime";
import { selectionColumn } from "../../components/selection";
import { useFilters } from "../../components/useFilters";
import { DeliveryFilters } from "./DeliveryFilters";
import { deliveryFilter, filterNames } from "./deliveries";
import { DeliveriesDocument, type DeliveriesQuery } from "./deliveries.generated";
import { Retrigger } from "./Retrigger";
import { DeliveryStatus, Outcome } from "./WebhookStatus";

type Row = DeliveriesQuery["webhookDeliveries"]["nodes"][number];

interface Props {
  webhookId?: string;
  /** What is left to do until there is one. */
  first?: ReactNode;
}

const context = { additionalTypenames: ["Delivery"] };

/** The deliveries of one webhook, or of all, newest first. */
export function Deliveries({ webhookId, first }: Props) {
  const filters = useFilters(...filterNames);
  const filter = deliveryFilter(filters.values, webhookId);
  const [{ data, error }, again] = useQuery({
    query: DeliveriesDocument,
    variables: { first: 50, after: filters.after, filter },
    context,
  });
  const [ticked, setTicked] = useState<string[]>([]);
  const refresh = () => again({ requestPolicy: "network-only" });
  const rows = data?.webhookDeliveries.nodes;
  // What has left the page is not selected any more: nobody would see it.
  const selected = ticked.filter((id) => rows?.some((row) => row.id === id));
  return (
    <Stack>
      <DeliveryFilters filters={filters} webhookId={webhookId} refresh={refresh} />
      <Retrigger
        ids={selected}
        filter={filter.state === "failed" && rows && rows.length > 0 ? filter : undefined}
        onDone={() => {
          setTicked([]);
          refresh();
        }}
      />
      <DataTable
        label="Deliveries"
        columns={columns(rows ?? [], selected, setTicked)}
        rows={rows}
        rowKey={(delivery) => delivery.id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.webhookDeliveries.pageInfo) }}
        empty={{
          icon: Send,
          title: "Nothing was delivered yet",
          text: "As soon as an event happens that a webhook is subscribed to, its delivery appears here.",
          action: first,
        }}
      />
    </Stack>
  );
}

function columns(rows: Row[], selected: string[], select: (ids: string[]) => void): Column<Row>[] {
  return [
    selectionColumn({ rows, keyOf: ({ id }) => id, nameOf: ({ id, type }) => `${type} ${id}`, selected, select }),
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
}
