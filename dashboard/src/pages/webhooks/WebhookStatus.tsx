import { StatusPill } from "../../components/StatusPill";
import type { DeliveryState } from "./deliveries.generated";
import { deliveryStates, outcomeLabel, tookIt, type Webhook } from "./webhooks";

export function WebhookStatus({ of: { enabled } }: { of: Webhook }) {
  return enabled ? (
    <StatusPill tone="good" label="On" explanation="Events that it is subscribed to are delivered." />
  ) : (
    <StatusPill
      tone="idle"
      label="Off"
      explanation="Nothing is delivered. Events that happen meanwhile are not sent later."
    />
  );
}

export function DeliveryStatus({ state, retryRequested }: { state: DeliveryState; retryRequested: boolean }) {
  if (retryRequested) {
    return (
      <StatusPill
        tone="info"
        label="Re-triggered"
        explanation="Somebody asked for an attempt that is not finished yet."
      />
    );
  }
  return <StatusPill {...deliveryStates[state]} />;
}

/** How the latest call of a delivery ended. */
export function Outcome({ of: outcome }: { of: string | null | undefined }) {
  if (!outcome) return <span>–</span>;
  const took = tookIt(outcome);
  return (
    <StatusPill
      tone={took ? "good" : "bad"}
      label={outcomeLabel(outcome)}
      explanation={
        took ? "The latest call: the listener took it." : "The latest call failed: only 2xx and 3xx are success."
      }
    />
  );
}
