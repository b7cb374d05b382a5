import { Button, Text } from "@mantine/core";
import { Send, Webhook as WebhookIcon } from "lucide-react";
import { Link } from "react-router";
import { Lines, Quiet, RowLink } from "../../components/cells";
import type { Column } from "../../components/DataTable";
import { EmptyState } from "../../components/EmptyState";
import { Hint } from "../../components/Hint";
import { ListPage } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { StatusPill } from "../../components/StatusPill";
import { address } from "../../lib/address";
import { useSession } from "../../session/session";
import { WebhookStatus } from "./WebhookStatus";
import { duration, noRateExplained, percent, rateExplained, subscribed } from "./webhooks";
import { WebhooksDocument, type WebhooksQuery } from "./webhooks.generated";

type Row = WebhooksQuery["webhooks"]["nodes"][number];

const columns: Column<Row>[] = [
  {
    header: "Name",
    cell: (webhook) => (
      <Lines>
        <RowLink to={address("/webhooks", webhook._id)}>{webhook.name}</RowLink>
        <Quiet lines={2}>{webhook.url}</Quiet>
        <Quiet hiddenFrom="sm">{inShort(webhook)}</Quiet>
      </Lines>
    ),
  },
  { header: "Status", cell: (webhook) => <WebhookStatus of={webhook} />, width: 100 },
  {
    header: "Events",
    cell: ({ events }) => subscribed(events).length,
    visibleFrom: "lg",
    align: "right",
    width: 80,
  },
  { header: "Signed", cell: ({ hmacKey }) => <Signed by={hmacKey} />, visibleFrom: "lg", width: 130 },
  {
    header: "Attempts, 24 h",
    cell: (webhook) => <Calls of={webhook} />,
    visibleFrom: "sm",
    align: "right",
    width: 120,
  },
  { header: "Delivered", cell: (webhook) => <Rate of={webhook} />, visibleFrom: "sm", align: "right", width: 110 },
  {
    header: "Average response",
    cell: ({ figures }) => (typeof figures?.averageMs === "number" ? duration(figures.averageMs) : "–"),
    visibleFrom: "md",
    align: "right",
    width: 150,
  },
  {
    header: "Last delivery",
    cell: ({ figures }) => <RelativeTime at={figures?.lastDeliveryAt} />,
    visibleFrom: "md",
    width: 150,
  },
];

/** The statistics, for small screens without columns for them. */
function inShort({ figures }: Row): string {
  if (!figures) return "";
  const { calls, deliveryRate } = figures;
  if (calls === 0) return "No attempts, last 24 h";
  const rate = typeof deliveryRate === "number" ? `, ${percent(deliveryRate)} delivered` : ", none finished yet";
  return `${calls.toLocaleString()} attempts, last 24 h${rate}`;
}

function Calls({ of: { figures } }: { of: Row }) {
  if (!figures) return "–";
  if (figures.calls > 0) return figures.calls.toLocaleString();
  return (
    <Text size="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
      No attempts
    </Text>
  );
}

function Rate({ of: { figures } }: { of: Row }) {
  const rate = figures?.deliveryRate;
  const none = typeof rate !== "number";
  if (none && !figures?.calls) return "–";
  return (
    <Hint label={none ? noRateExplained : rateExplained}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the explanation must be reachable by keyboard too */}
      <span tabIndex={0}>{none ? "None yet" : percent(rate)}</span>
    </Hint>
  );
}

function Signed({ by }: { by: string | null | undefined }) {
  return by ? (
    <StatusPill
      tone="good"
      label="Signed"
      explanation="Each request carries a signature that the receiver can verify."
    />
  ) : (
    <StatusPill tone="warning" label="Unsigned" explanation="Receivers can't verify the sender. Set a signing key." />
  );
}

const webhooks = defineList({
  document: WebhooksDocument,
  rows: (data) => data.webhooks,
  types: ["Webhook", "Delivery"],
  variables: (page) => page,
});

export const { asks } = webhooks;

export default function WebhooksPage() {
  const { seller } = useSession();
  if (seller && !seller.webhooks) return <SwitchedOff />;
  return (
    <ListPage
      title="Webhooks"
      text="A webhook sends events to your endpoint as HTTP requests."
      actions={
        <Button component={Link} to="/deliveries" variant="default" leftSection={<Send size={16} aria-hidden />}>
          View all deliveries
        </Button>
      }
      create={{ to: "/webhooks/new", label: "Create webhook", role: "DEVELOPER" }}
      list={webhooks}
      columns={columns}
      empty={{
        icon: WebhookIcon,
        title: "No webhooks yet",
        text: "Create a webhook to get notified of completed transactions, new tickets, scans and more.",
      }}
    />
  );
}

function SwitchedOff() {
  return (
    <Page title="Webhooks">
      <EmptyState
        icon={WebhookIcon}
        title="Webhooks are off"
        text="An administrator can turn them on in the seller's settings."
      >
        <Button component={Link} to="/settings" variant="default">
          Go to settings
        </Button>
      </EmptyState>
    </Page>
  );
}
