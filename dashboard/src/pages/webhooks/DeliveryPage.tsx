import { Button, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useQuery } from "urql";
import { CodeView } from "../../components/CodeView";
import { CopyValue } from "../../components/CopyValue";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { RetryButton } from "../../components/RetryButton";
import { useLive } from "../../components/useLive";
import { address, useRecordId } from "../../lib/address";
import { Attempts } from "./Attempts";
import {
  DeliveriesChangedDocument,
  DeliveryDocument,
  type DeliveryQuery,
  RetryDeliveryDocument,
} from "./deliveries.generated";
import { DeliveryStatus } from "./WebhookStatus";

type Delivery = DeliveryQuery["delivery"];

export default function DeliveryPage() {
  const id = useRecordId();
  const [{ data, error }, again] = useQuery({ query: DeliveryDocument, variables: { id } });
  const delivery = data?.delivery;
  const refresh = () => again({ requestPolicy: "network-only" });
  const changes = { document: DeliveriesChangedDocument, variables: { webhookId: delivery?.webhookId } };
  useLive(changes, refresh, delivery?.retryRequested || delivery?.state === "pending");
  return (
    <Page
      title={delivery?.type ?? "Delivery"}
      parents={[
        { to: "/webhooks", label: "Webhooks" },
        ...(delivery
          ? [{ to: address("/webhooks", delivery.webhookId), label: delivery.webhook?.name ?? "Deliveries" }]
          : []),
      ]}
      status={delivery && <DeliveryStatus {...delivery} />}
      actions={
        delivery && (
          <>
            <Button
              component={Link}
              to={`${address("/webhooks", delivery.webhookId)}?tab=verification`}
              variant="default"
            >
              Verify signature
            </Button>
            <RetryButton
              label="Retry"
              document={RetryDeliveryDocument}
              variables={{ id: delivery.id }}
              requested={delivery.retryRequested}
              onRetry={refresh}
            />
          </>
        )
      }
    >
      <Loaded data={data} error={error} onRetry={again}>
        {({ delivery: shown }) => (
          <Stack gap="lg">
            <DeliveryFacts of={shown} />
            <Stack component="section" gap="sm" aria-labelledby="attempts">
              <Title order={2} size="h4" id="attempts">
                Attempts
              </Title>
              <Attempts of={shown.attempts?.nodes ?? []} made={shown.attemptCount} />
            </Stack>
            <CodeView label="Payload, exactly as sent and signed" value={shown.payload ?? ""} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function DeliveryFacts({ of: delivery }: { of: Delivery }) {
  const manual = delivery.attemptCount - delivery.scheduledCount;
  return (
    <Facts
      facts={[
        ["ID", <CopyValue key="id" value={delivery.id} label="Copy ID" />],
        ["Created", <RelativeTime key="at" at={delivery.createdAt} />],
        [
          "Attempts",
          <Text key="n" span size="sm">{`${delivery.attemptCount}${manual > 0 ? ` (${manual} manual)` : ""}`}</Text>,
        ],
        ["Next attempt", <RelativeTime key="next" at={delivery.nextAttemptAt} never="None" />],
        ["Delivered", <RelativeTime key="delivered" at={delivery.deliveredAt} never="Not yet" />],
        ["Last retry", <RelativeTime key="re" at={delivery.retriggeredAt} />],
      ]}
    />
  );
}
