import { shellWord } from "../../lib/shell";
import type { States } from "../../lib/states";
import type { DeliveryQuery, DeliveryState } from "./deliveries.generated";
import type { WebhookFieldsFragment } from "./webhooks.generated";

export type Webhook = WebhookFieldsFragment;
export type Attempt = NonNullable<DeliveryQuery["delivery"]["attempts"]>["nodes"][number];

/** The statuses of a delivery, for filters and pills. */
export const deliveryStates: States<DeliveryState> = {
  pending: { tone: "info", label: "Pending", explanation: "Another attempt is scheduled." },
  delivered: {
    tone: "good",
    label: "Delivered",
    explanation: "The endpoint accepted the request with a 2xx or 3xx status.",
  },
  failed: {
    tone: "bad",
    label: "Failed",
    explanation: "All scheduled attempts failed. You can retry manually.",
  },
  canceled: {
    tone: "idle",
    label: "Canceled",
    explanation: "The webhook was deleted or disabled before the event was delivered.",
  },
};

/** Returns the event types that a webhook is subscribed to. */
export function subscribed(events: Record<string, boolean>): string[] {
  return Object.keys(events).filter((type) => events[type]);
}

/** Groups event types by resource, the part before the first dot. */
export function byTopic<Kind extends { type: string }>(kinds: Kind[]): [topic: string, kinds: Kind[]][] {
  const topics = new Map<string, Kind[]>();
  for (const kind of kinds) {
    const topic = kind.type.slice(0, kind.type.indexOf("."));
    topics.set(topic, [...(topics.get(topic) ?? []), kind]);
  }
  return [...topics];
}

/** Returns the label of an outcome: a status, or the kind of failure. */
export function outcomeLabel(outcome: string): string {
  return /^\d+$/.test(outcome) ? `HTTP ${outcome}` : (failures[outcome] ?? outcome);
}

/** Why there was no valid response. */
export const failures: Record<string, string> = {
  invalid_url: "Invalid URL",
  dns: "Host not found",
  refused_address: "Address not allowed",
  connect: "Connection failed",
  tls: "TLS handshake failed",
  timeout: "Timeout",
  closed_early: "Connection closed early",
  invalid_response: "Invalid HTTP response",
};

/** Reports whether an outcome is a success. */
export function tookIt(outcome: string): boolean {
  return /^[23]\d\d$/.test(outcome);
}

/** Explains the delivery rate. */
export const rateExplained =
  "Share of finished deliveries in this period that succeeded. Pending deliveries aren't counted.";

/** Explains a missing delivery rate. */
export const noRateExplained = "No delivery has finished in this period. Pending deliveries aren't counted.";

/** Formats a share. It is never rounded up to 100 % or down to 0 %. */
export function percent(part: number): string {
  if (part > 0.999 && part < 1) return ">99.9 %";
  if (part > 0 && part < 0.001) return "<0.1 %";
  return `${(part * 100).toLocaleString(undefined, { maximumFractionDigits: 1 })} %`;
}

/** Formats a duration in milliseconds. */
export function duration(ms: number): string {
  if (ms < 10 && !Number.isInteger(ms)) return `${ms.toFixed(1)} ms`;
  return ms < 1000
    ? `${Math.round(ms)} ms`
    : `${(ms / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`;
}

/** Formats a count for an axis, such as 1.2K. */
export function short(count: number): string {
  return count.toLocaleString(undefined, { notation: "compact", maximumFractionDigits: 1 });
}

/** Reports whether an attempt succeeded, as judged by the server. */
export function succeeded({ failure, status }: Pick<Attempt, "failure" | "status">): boolean {
  return !failure && status !== null && status !== undefined && status >= 200 && status < 400;
}

/** Returns what a webhook's settings lack for a first delivery. */
export function unsettled(webhook: Pick<Webhook, "enabled" | "events" | "hmacKey">): string[] {
  const { enabled, hmacKey } = webhook;
  const events = subscribed(webhook.events);
  return [
    enabled ? "" : "The webhook is disabled. Enable it to receive events.",
    events.length > 0 ? "" : "No events selected. Select at least one.",
    hmacKey ? "" : "Requests aren't signed. Add a signing key so that receivers can verify the sender.",
  ].filter(Boolean);
}

/** Returns the description of the URL field. Development servers may send to local addresses. */
export function urlHint(production: boolean): string {
  const hint = "Endpoint URL. We check that it is reachable.";
  if (production) return hint;
  return `${hint} For local testing use http://127.0.0.1:9900 with “ticketgate listen”.`;
}

/** Returns the command that receives a webhook's requests on this machine; undefined for an endpoint elsewhere. */
export function listenCommand({ url, hmacKey }: Pick<Webhook, "url" | "hmacKey">): string | undefined {
  const { hostname, port, protocol } = new URL(url);
  if (protocol !== "http:" || !["127.0.0.1", "localhost", "[::1]"].includes(hostname)) return undefined;
  const address = `${hostname === "localhost" ? "127.0.0.1" : hostname}:${port || "80"}`;
  const key = hmacKey ? ` --hmac-key=${shellWord(hmacKey)}` : "";
  return `ticketgate listen --listen ${address}${key}`;
}
