import { Anchor, Button, Stack, Text } from "@mantine/core";
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { useSession } from "../../app/session";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { StatusPill } from "../../components/StatusPill";
import { useFilters } from "../../components/useFilters";
import { WebhookStatus } from "./WebhookStatus";
import { subscribed, type Webhook } from "./webhooks";
import { WebhooksDocument } from "./webhooks.generated";

const columns: Column<Webhook>[] = [
  {
    header: "Name",
    cell: (webhook) => (
      <Stack gap={2} miw={0}>
        <Anchor component={Link} to={`/webhooks/${webhook._id}`} fw={550} lineClamp={2}>
          {webhook.name}
        </Anchor>
        <Text size="xs" c="dimmed" lineClamp={2} style={{ overflowWrap: "anywhere" }}>
          {webhook.url}
        </Text>
      </Stack>
    ),
  },
  { header: "Status", cell: (webhook) => <WebhookStatus of={webhook} />, width: 100 },
  {
    header: "Events",
    cell: (webhook) => subscribed(webhook.events).length,
    visibleFrom: "sm",
    align: "right",
    width: 90,
  },
  { header: "Signed", cell: (webhook) => <Signed by={webhook.hmacKey} />, visibleFrom: "sm", width: 140 },
  { header: "Changed", cell: (webhook) => <RelativeTime at={webhook.updatedAt} />, visibleFrom: "md", width: 160 },
];

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

const context = { additionalTypenames: ["Webhook"] };

export default function WebhooksPage() {
  const filters = useFilters();
  const { seller } = useSession();
  const [{ data, error }, again] = useQuery({
    query: WebhooksDocument,
    variables: { first: 50, after: filters.after },
    context,
  });
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
      actions={create}
    >
      <DataTable
        label="Webhooks"
        columns={columns}
        rows={data?.webhooks.nodes}
        rowKey={(webhook) => webhook._id}
        error={error}
        onRetry={again}
        paging={{ ...filters, next: nextPage(data?.webhooks.pageInfo) }}
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
