import { StatusPill } from "../../components/StatusPill";
import type { DeliveryState } from "./deliveries.generated";
import { deliveryStates, outcomeLabel, tookIt, type Webhook } from "./webhooks";

export function WebhookStatus({ of: { enabled } }: { of: Webhook }) {
  return enabled ? (
    <StatusPill tone="good" label="Active" explanation="Subscribed events are delivered." />
  ) : (
    <StatusPill
      tone="idle"
      label="Disabled"
      explanation="Nothing is delivered. Events that happen while the webhook is disabled aren't sent later."
    />
  );
}

interface Shown {
  state: DeliveryState;
  paused: boolean;
  retryRequested: boolean;
}

export function DeliveryStatus({ state, paused, retryRequested }: Shown) {
  if (paused) {
    return (
      <StatusPill
        tone="idle"
        label="Paused"
        explanation="The webhook is disabled. To continue this delivery, enable it before the next attempt is due."
      />
    );
  }
  if (retryRequested) {
    return <StatusPill tone="info" label="Retry queued" explanation="A manual retry is queued or in progress." />;
  }
  return <StatusPill {...deliveryStates[state]} />;
}

/** The outcome of the latest attempt of a delivery. */
export function Outcome({ of: outcome }: { of: string | null | undefined }) {
  if (!outcome) return <span>–</span>;
  const took = tookIt(outcome);
  return (
    <StatusPill
      tone={took ? "good" : "bad"}
      label={outcomeLabel(outcome)}
      explanation={
        took
          ? "The endpoint accepted the latest attempt."
          : "The latest attempt failed. Only 2xx and 3xx count as success."
      }
    />
  );
}
