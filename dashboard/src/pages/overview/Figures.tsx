import { SimpleGrid } from "@mantine/core";
import { useEffect, useState } from "react";
import { useQuery } from "urql";
import { Loaded } from "../../components/Loaded";
import { attentionsOf } from "../keys/keys";
import { since } from "../scans/scans";
import { keysThere } from "./Checklist";
import { deliveryRate, minuteBars } from "./figures";
import { OverviewDeliveriesDocument, type OverviewDeliveriesQuery, OverviewScansDocument } from "./overview.generated";
import { ScanChart } from "./ScanChart";
import { Tile } from "./Tile";

const ofGate = { additionalTypenames: ["Scan", "AccessUser"] };
const ofWebhooks = { additionalTypenames: ["Delivery", "Webhook"] };

/** The query for scans and devices. */
export const scansSince = (start: string) => ({
  query: OverviewScansDocument,
  variables: { since: start },
  context: ofGate,
});

/** The query for deliveries, which requires the role Developer. */
export const deliveriesSince = (start: string) => ({
  query: OverviewDeliveriesDocument,
  variables: { since: start },
  context: ofWebhooks,
});

/** Counts of the last 24 hours and of what needs attention. Each number links to the list that it counts. */
export function Figures({ developer, webhooks }: { developer: boolean; webhooks: boolean }) {
  const [start, setStart] = useState(() => since(undefined) ?? "");
  useEffect(() => {
    const timer = setInterval(() => setStart(since(undefined) ?? ""), 60_000);
    return () => clearInterval(timer);
  }, []);
  const [{ data, error }, again] = useQuery(scansSince(start));
  return (
    <Loaded data={data} error={error} onRetry={again}>
      {({ approved, declined, silent, scansPerMinute }) => (
        <>
          <SimpleGrid cols={{ base: 2, md: 3 }} component="section" aria-label="Last 24 hours">
            <Tile label="Approved scans, last 24 h" value={approved.totalCount} to="/scans?result=approved" />
            <Tile label="Declined scans, last 24 h" value={declined.totalCount} to="/scans?result=declined" />
            <Tile
              label="Devices silent for 24 h"
              value={silent.totalCount}
              to="/devices?active=yes&silent=day"
              toLookAt
            />
            {developer && webhooks && <WebhookTile since={start} />}
            {developer && <KeyTiles />}
          </SimpleGrid>
          <ScanChart bars={minuteBars(scansPerMinute)} />
        </>
      )}
    </Loaded>
  );
}

function WebhookTile({ since: start }: { since: string }) {
  const [{ data, error }] = useQuery(deliveriesSince(start));
  if (error && !data) return null;
  return (
    <Tile
      label="Failed deliveries"
      value={data?.failed.totalCount}
      note={data && rateOf(data)}
      to="/deliveries?state=failed"
      toLookAt
    />
  );
}

function rateOf({ deliveredLately, failedLately, pendingLately }: OverviewDeliveriesQuery): string {
  return deliveryRate(deliveredLately.totalCount, failedLately.totalCount, pendingLately.totalCount);
}

function KeyTiles() {
  const [{ data, error }] = useQuery(keysThere);
  if (error && !data) return null;
  const count = (reason: "expiring" | "idle") =>
    data?.keys.nodes.filter((key) => attentionsOf(key).includes(reason)).length;
  return (
    <>
      <Tile label="Keys expiring within 14 days" value={count("expiring")} to="/keys?state=expiring" toLookAt />
      <Tile label="Keys unused for 90 days" value={count("idle")} to="/keys?state=idle" toLookAt />
    </>
  );
}
