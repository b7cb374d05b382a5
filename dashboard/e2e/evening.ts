import { expect } from "vitest";
import { graphql, listen, type Seller } from "./browser";

/** Sells tickets for a seller's event and uploads the scans of the last hour, with a webhook that receives every event. */
export async function fillEvening({ apiKey, sellerId, eventId, ticketTypeId, deviceId }: Seller) {
  const listener = await listen({ status: 204, body: "" });
  const events = { "ticket.created": true };
  await graphql(apiKey, "mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { _id } }", {
    input: { name: "Box office", url: listener.url, events },
  });
  const scans = scansOfAnHour();
  const tickets = scans.map(({ barcode }) => ({
    ...{ _id: `ticket-${barcode}`, sellerId, eventId, ticketTypeId, secret: `secret-${barcode}`, barcode },
    ...{ ticketName: "Stalls", status: "VALID", realPrice: 25.5, currency: "EUR" },
  }));
  await graphql(
    apiKey,
    `mutation($tickets: ImportTicketsInput!, $eventId: ID!, $deviceId: ID!, $scans: [UploadedScanInput!]!) {
      importTickets(input: $tickets) { created }
      uploadScans(eventId: $eventId, deviceId: $deviceId, scans: $scans) { status }
    }`,
    { tickets: { tickets }, eventId, deviceId, scans },
  );
  const pending = async () => {
    const query = "{ webhookDeliveries(first: 0, filter: { state: pending }) { totalCount } }";
    return (await graphql<{ webhookDeliveries: { totalCount: number } }>(apiKey, query, {})).webhookDeliveries
      .totalCount;
  };
  await expect.poll(pending).toBe(0);
  listener.close();
}

/** Returns the scans of the last hour, most of them 20 minutes ago. One in 23 is declined. */
function scansOfAnHour() {
  const now = Date.now();
  return Array.from({ length: 60 }, (_, minute) => {
    const crowd = 9 * Math.exp(-(((minute - 40) / 13) ** 2));
    return Array<number>(Math.round(1 + crowd + ((minute * 7) % 3))).fill(now - (60 - minute) * 60_000);
  })
    .flat()
    .map((at, index) => ({
      id: `scan-${index}`,
      barcode: `EVENING${1000 + index}`,
      scanned_at: new Date(at).toISOString(),
      type: index % 23 === 22 ? "FAIL" : "OK",
    }));
}
