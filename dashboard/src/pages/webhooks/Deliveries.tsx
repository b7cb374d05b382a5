import { Stack } from "@mantine/core";
import { Send } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { useQuery } from "urql";
import { DataTable, nextPage } from "../../components/DataTable";
import { selectionColumn } from "../../components/selection";
import { type Narrowed, useFilters } from "../../components/useFilters";
import { useLive } from "../../components/useLive";
import { DeliveryFilters } from "./DeliveryFilters";
import { deliveryFilter, filterNames } from "./deliveries";
import { DeliveriesChangedDocument, DeliveriesDocument } from "./deliveries.generated";
import { type DeliveryRow, deliveryColumns } from "./deliveryColumns";
import { Retrigger } from "./Retrigger";
import { useWebhookChoices, webhookNamed } from "./useWebhookChoices";

interface Props {
  webhookId?: string;
  /** What is left to do until there is one. */
  first?: ReactNode;
}

const context = { additionalTypenames: ["Delivery"] };

/** The question for what an address shows of one webhook, or of all. */
export function deliveriesAt({ values, after }: Narrowed<typeof filterNames>, webhookId?: string) {
  return {
    query: DeliveriesDocument,
    variables: { first: 50, after, filter: deliveryFilter(values, webhookId) },
    context,
  };
}

/** The deliveries of one webhook, or of all, newest first. */
export function Deliveries({ webhookId, first }: Props) {
  const filters = useFilters(...filterNames);
  const filter = deliveryFilter(filters.values, webhookId);
  const [{ data, error }, again] = useQuery(deliveriesAt(filters, webhookId));
  const refresh = () => again({ requestPolicy: "network-only" });
  const rows = data?.webhookDeliveries.nodes;
  // Until the first one has come, the page is watched by somebody who tries the webhook out.
  const awaited = Boolean(first && rows?.every(({ state }) => state === "pending"));
  useLive({ document: DeliveriesChangedDocument, variables: { webhookId } }, refresh, awaited && !filters.filtered);
  const [ticked, setTicked] = useState<string[]>([]);
  // What has left the page is not selected any more: nobody would see it.
  const selected = useMemo(() => ticked.filter((id) => rows?.some((row) => row.id === id)), [ticked, rows]);
  const webhooks = useWebhookChoices();
  const shown = useMemo(
    () => deliveryColumns(webhookId ? undefined : (of) => webhookNamed(webhooks, of)),
    [webhookId, webhooks],
  );
  const columns = useMemo(() => [selectionOf(rows ?? [], selected, setTicked), ...shown], [rows, selected, shown]);
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
        columns={columns}
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

function selectionOf(rows: DeliveryRow[], selected: string[], select: (ids: string[]) => void) {
  return selectionColumn({ rows, keyOf: ({ id }) => id, nameOf: ({ id, type }) => `${type} ${id}`, selected, select });
}
