import type { Tone } from "../../components/StatusPill";
import type { DeliveryQuery, DeliveryState } from "./deliveries.generated";
import type { WebhookFieldsFragment } from "./webhooks.generated";

export type Webhook = WebhookFieldsFragment;
export type Attempt = DeliveryQuery["webhookDelivery"]["attempts"][number];

/** What a delivery can be, as the filter and the pill say it. */
export const deliveryStates: Record<DeliveryState, { tone: Tone; label: string; explanation: string }> = {
  pending: { tone: "info", label: "Pending", explanation: "A further attempt is to come." },
  delivered: {
    tone: "good",
    label: "Delivered",
    explanation: "The listener has taken it: it answered with 2xx or 3xx.",
  },
  failed: {
    tone: "bad",
    label: "Failed",
    explanation: "No attempt succeeded, and the retry schedule has run out. You can re-trigger it.",
  },
  canceled: {
    tone: "idle",
    label: "Canceled",
    explanation: "The webhook was deleted or disabled before it was delivered.",
  },
};

/** How many of the event types a webhook is told of. */
export function subscribed(events: Record<string, boolean>): string[] {
  return Object.keys(events).filter((type) => events[type]);
}

/** Event types by the resource that they are about: what stands before the first dot. */
export function byTopic<Kind extends { type: string }>(kinds: Kind[]): [topic: string, kinds: Kind[]][] {
  const topics = new Map<string, Kind[]>();
  for (const kind of kinds) {
    const topic = kind.type.slice(0, kind.type.indexOf("."));
    topics.set(topic, [...(topics.get(topic) ?? []), kind]);
  }
  return [...topics];
}

/** Whether the listener took the call (spec 6.2.5), as the server judged it. */
export function succeeded({ failure, status }: Pick<Attempt, "failure" | "status">): boolean {
  return !failure && status !== null && status !== undefined && status >= 200 && status < 400;
}

/** 32 random bytes in hexadecimal. */
export function newSigningKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
