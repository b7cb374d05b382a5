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
        explanation="The webhook is off. Turn it on before the next attempt is due, and the delivery continues."
      />
    );
  }
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
