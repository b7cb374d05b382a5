import { Paper, SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "urql";
import { Loaded } from "../../components/Loaded";
import { OverviewWebhooksDocument } from "./overview.generated";

const context = { additionalTypenames: ["Delivery", "Webhook"] };

/** What the API counts of webhooks and their deliveries. */
export function Figures() {
  const [{ data, error }, again] = useQuery({ query: OverviewWebhooksDocument, context });
  return (
    <Loaded data={data} error={error} onRetry={again}>
      {({ webhooks, delivered, pending, failed }) => (
        <SimpleGrid cols={{ base: 2, md: 4 }} component="section" aria-label="Figures">
          <Figure label="Webhooks" value={webhooks.totalCount} />
          <Figure label="Deliveries made" value={delivered.totalCount} />
          <Figure label="Deliveries pending" value={pending.totalCount} />
          <Figure label="Deliveries failed" value={failed.totalCount} />
        </SimpleGrid>
      )}
    </Loaded>
  );
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={28} fw={650} lh={1.3}>
        {value.toLocaleString()}
      </Text>
    </Paper>
  );
}
