import { shellWord } from "../../lib/shell";
import type { States } from "../../lib/states";
import type { DeliveryQuery, DeliveryState } from "./deliveries.generated";
import type { WebhookFieldsFragment } from "./webhooks.generated";

export type Webhook = WebhookFieldsFragment;
export type Attempt = NonNullable<DeliveryQuery["delivery"]["attempts"]>["nodes"][number];

/** What a delivery can be, as the filter and the pill say it. */
export const deliveryStates: States<DeliveryState> = {
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

/** How a call ended, as the list and the filter say it: a status, or what happened instead. */
export function outcomeLabel(outcome: string): string {
  return /^\d+$/.test(outcome) ? `HTTP ${outcome}` : (failures[outcome] ?? outcome);
}

/** Why there was no usable answer. */
export const failures: Record<string, string> = {
  invalid_url: "URL not valid",
  dns: "Name not found",
  refused_address: "Address refused",
  connect: "No connection",
  tls: "TLS failed",
  timeout: "Timeout",
  closed_early: "Closed early",
  invalid_response: "No HTTP",
};

/** Whether an outcome is a success. */
export function tookIt(outcome: string): boolean {
  return /^[23]\d\d$/.test(outcome);
}

/** What the delivery rate is a part of. */
export const rateExplained =
  "Delivered, of all deliveries that were delivered or failed in this time. Those that are still pending are left out.";

/** Why there is none although calls were made. */
export const noRateExplained =
  "Nothing was delivered or has failed for good in this time. Deliveries that are still pending are left out.";

/** A part as people read it: never rounded up to 100 %, nor down to 0 %. */
export function percent(part: number): string {
  if (part > 0.999 && part < 1) return "> 99.9 %";
  if (part > 0 && part < 0.001) return "< 0.1 %";
  return `${(part * 100).toLocaleString(undefined, { maximumFractionDigits: 1 })} %`;
}

/** A time in milliseconds, as short as it can be said. */
export function duration(ms: number): string {
  if (ms < 10 && !Number.isInteger(ms)) return `${ms.toFixed(1)} ms`;
  return ms < 1000
    ? `${Math.round(ms)} ms`
    : `${(ms / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`;
}

/** A count, short on an axis: 1.2K. */
export function short(count: number): string {
  return count.toLocaleString("en", { notation: "compact", maximumFractionDigits: 1 });
}

/** Whether the listener took the call (spec 6.2.5), as the server judged it. */
export function succeeded({ failure, status }: Pick<Attempt, "failure" | "status">): boolean {
  return !failure && status !== null && status !== undefined && status >= 200 && status < 400;
}

/** Whether creating an event makes a delivery: the quickest way to see one. */
export function tryOut({ enabled, events }: Pick<Webhook, "enabled" | "events">): boolean {
  return enabled && subscribed(events).includes("event.created");
}

/** What a webhook's settings leave to be desired before a first delivery. */
export function unsettled(webhook: Pick<Webhook, "enabled" | "events" | "hmacKey">): string[] {
  const { enabled, hmacKey } = webhook;
  const events = subscribed(webhook.events);
  return [
    enabled ? "" : "It is switched off: nothing is delivered.",
    events.length > 0 ? "" : "It is subscribed to nothing: choose its events.",
    enabled && events.length > 0 && !tryOut(webhook)
      ? "The quickest to try is event.created: subscribe to it, and create an event."
      : "",
    hmacKey ? "" : "Its calls are not signed: give it a signing key, so that the listener can tell who calls.",
  ].filter(Boolean);
}

/** What is said of a webhook's URL: how to be the listener oneself only where the server may call itself. */
export function urlHint(production: boolean): string {
  const hint = "Where the calls go. It is checked whether the address can be called from here.";
  if (production) return hint;
  return `${hint} To try it out, http://127.0.0.1:9900 with \`ticketgate listen\`, where the server may call itself.`;
}

/** The command that receives a webhook's calls on this machine; nothing when they go elsewhere. */
export function listenCommand({ url, hmacKey }: Pick<Webhook, "url" | "hmacKey">): string | undefined {
  const { hostname, port, protocol } = new URL(url);
  if (protocol !== "http:" || !["127.0.0.1", "localhost", "[::1]"].includes(hostname)) return undefined;
  const address = `${hostname === "localhost" ? "127.0.0.1" : hostname}:${port || "80"}`;
  const key = hmacKey ? ` --hmac-key=${shellWord(hmacKey)}` : "";
  return `ticketgate listen --listen ${address}${key}`;
}
