import { Button, Text } from "@mantine/core";
import { Plus, Send, Webhook as WebhookIcon } from "lucide-react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { address } from "../../app/address";
import type { Asks } from "../../app/early";
import { useSession } from "../../app/session";
import { Lines, Quiet, RowLink } from "../../components/cells";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { EmptyState } from "../../components/EmptyState";
import { Hint } from "../../components/Hint";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { StatusPill } from "../../components/StatusPill";
import { filtersIn, type Narrowed, useFilters } from "../../components/useFilters";
import { WebhookStatus } from "./WebhookStatus";
import { duration, noRateExplained, percent, rateExplained, subscribed } from "./webhooks";
import { WebhooksDocument, type WebhooksQuery } from "./webhooks.generated";

type Row = WebhooksQuery["webhookFigures"]["nodes"][number];

const columns: Column<Row>[] = [
  {
    header: "Name",
    cell: (row) => (
      <Lines>
        <RowLink to={address("/webhooks", row.webhook._id)}>{row.webhook.name}</RowLink>
        <Quiet lines={2}>{row.webhook.url}</Quiet>
        <Quiet hiddenFrom="sm">{inShort(row)}</Quiet>
      </Lines>
    ),
  },
  { header: "Status", cell: ({ webhook }) => <WebhookStatus of={webhook} />, width: 100 },
  {
    header: "Events",
    cell: ({ webhook }) => subscribed(webhook.events).length,
    visibleFrom: "lg",
    align: "right",
    width: 80,
  },
  { header: "Signed", cell: ({ webhook }) => <Signed by={webhook.hmacKey} />, visibleFrom: "lg", width: 130 },
  { header: "Calls, 24 h", cell: (row) => <Calls of={row} />, visibleFrom: "sm", align: "right", width: 120 },
  { header: "Delivered", cell: (row) => <Rate of={row} />, visibleFrom: "sm", align: "right", width: 110 },
  {
    header: "Average response",
    cell: ({ averageMs }) => (typeof averageMs === "number" ? duration(averageMs) : "–"),
    visibleFrom: "md",
    align: "right",
    width: 150,
  },
  {
    header: "Last delivery",
    cell: ({ lastDeliveryAt }) => <RelativeTime at={lastDeliveryAt} />,
    visibleFrom: "md",
    width: 150,
  },
];

/** The figures where a phone has no columns for them. */
function inShort({ calls, deliveryRate }: Row): string {
  if (calls === 0) return "no calls in 24 h";
  const rate = typeof deliveryRate === "number" ? `, ${percent(deliveryRate)} delivered` : ", none delivered yet";
  return `${calls.toLocaleString()} calls in 24 h${rate}`;
}

function Calls({ of: { calls } }: { of: Row }) {
  if (calls > 0) return calls.toLocaleString();
  return (
    <Text size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
      no calls in 24 h
    </Text>
  );
}

function Rate({ of: { calls, deliveryRate } }: { of: Row }) {
  const none = typeof deliveryRate !== "number";
  if (none && calls === 0) return "–";
  return (
    <Hint label={none ? noRateExplained : rateExplained}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what explains itself on hover does so by keyboard, too */}
      <span tabIndex={0}>{none ? "none yet" : percent(deliveryRate)}</span>
    </Hint>
  );
}

function Signed({ by }: { by: string | null | undefined }) {
  return by ? (
    <StatusPill tone="good" label="Signed" explanation="Each call carries a signature that the listener can check." />
  ) : (
    <StatusPill
      tone="warning"
      label="Unsigned"
      explanation="The listener can't tell whether a call comes from here. Set a signing key."
    />
  );
}

const context = { additionalTypenames: ["Webhook", "WebhookFigures"] };

/** The question for what an address shows. */
const webhooksAt = ({ after }: Narrowed<[]>) => ({ query: WebhooksDocument, variables: { first: 50, after }, context });

export const asks: Asks = ({ search }) => [webhooksAt(filtersIn(search, []))];

export default function WebhooksPage() {
  const filters = useFilters();
  const { seller } = useSession();
  const [{ data, error }, again] = useQuery(webhooksAt(filters));
  const create = (
    <Button component={Link} to="/webhooks/new" leftSection={<Plus size={16} aria-hidden />}>
      Create webhook
    </Button>
  );
  if (seller && !seller.webhooks) return <SwitchedOff />;
  return (
    <Page
      title="Webhooks"
      text="A webhook tells a program of yours when something has happened, by calling its address."
      actions={
        <>
          <Button component={Link} to="/deliveries" variant="default" leftSection={<Send size={16} aria-hidden />}>
            All deliveries
          </Button>
          {create}
        </>
      }
    >
      <DataTable
        label="Webhooks"
        columns={columns}
        rows={data?.webhookFigures.nodes}
        rowKey={({ webhook }) => webhook._id}
        error={error}
        onRetry={again}
        paging={{ ...filters, next: nextPage(data?.webhookFigures.pageInfo) }}
        empty={{
          icon: WebhookIcon,
          title: "No webhooks yet",
          text: "Create one to be told of completed transactions, new tickets, scans and more.",
          action: create,
        }}
      />
    </Page>
  );
}

function SwitchedOff() {
  return (
    <Page title="Webhooks">
      <EmptyState
        icon={WebhookIcon}
        title="Webhooks are switched off"
        text="An administrator can switch them on for this seller in the settings."
      >
        <Button component={Link} to="/settings" variant="default">
          Settings
        </Button>
      </EmptyState>
    </Page>
  );
}
