import { Button, Group, Text } from "@mantine/core";
import { FlaskConical, ScanLine } from "lucide-react";
import { Link } from "react-router";
import { Lines, Quiet, RowButton } from "../../components/cells";
import { useDeviceChoices, useEventChoices } from "../../components/choices";
import type { Column } from "../../components/DataTable";
import { choices, search, select } from "../../components/fields";
import { ListPage } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { RelativeTime } from "../../components/RelativeTime";
import { Occupancy } from "./Occupancy";
import { ScanDetails } from "./ScanDetails";
import { ScanMarks, ScanResultPill } from "./ScanPills";
import { directions, kinds, periods, reasons, results, type Scan, scanFilter, since } from "./scans";
import { ScansChangedDocument, ScansDocument } from "./scans.generated";

const scans = defineList({
  document: ScansDocument,
  rows: (data) => data.scans,
  types: ["Scan"],
  fields: [search("code", "Exact code"), select({ name: "result", label: "Result", of: results })],
  more: [
    select({ name: "period", label: "Period", any: "Last 24 hours", of: periods }),
    select({ name: "reason", label: "Reason", of: reasons, searchable: true }),
    select({ name: "direction", label: "Direction", of: directions }),
    choices({ name: "device", label: "Device", useOptions: useDeviceChoices }),
    choices({ name: "event", label: "Event", useOptions: useEventChoices }),
    select({ name: "kind", label: "Kind", of: kinds }),
  ],
  variables: (page, values) => ({ ...page, filter: { ...scanFilter(values), timeFrom: since(values.period) } }),
});

export const { asks } = scans;

export default function ScansPage() {
  return (
    <ListPage
      title="Scan log"
      text="All approved and declined scans, newest first."
      actions={
        <Button component={Link} to="/simulator" variant="default" leftSection={<FlaskConical size={16} aria-hidden />}>
          Simulate scan
        </Button>
      }
      list={scans}
      label="Scans"
      columns={columns}
      live={() => ({ document: ScansChangedDocument, variables: {} })}
      above={({ filters: { values } }) => values.event && <Occupancy key={values.event} eventId={values.event} />}
      empty={{
        icon: ScanLine,
        title: "No scans in the last 24 hours",
        text: "Scans appear here as devices make them. Select another period for older scans.",
        action: ({ filters }) => (
          <Button variant="default" onClick={() => filters.set({ period: "all" })}>
            View all scans
          </Button>
        ),
      }}
      details={{ title: () => "Scan", content: (scan) => <ScanDetails of={scan} /> }}
    />
  );
}

function columns(show: (scan: Scan) => void): Column<Scan>[] {
  return [
    {
      header: "Time",
      cell: (scan) => (
        <Lines>
          <RowButton onClick={() => show(scan)}>
            <RelativeTime at={scan.time} />
          </RowButton>
          <Quiet hiddenFrom="sm">
            {scan.deviceName ?? "No device"}, {scan.type === "checkin" ? "check-in" : "check-out"}
          </Quiet>
        </Lines>
      ),
    },
    {
      header: "Result",
      cell: (scan) => (
        <Lines>
          <Group gap={6}>
            <ScanResultPill of={scan} />
            <ScanMarks of={scan} />
          </Group>
          {scan.reason && (
            <Quiet>
              {scan.scanResult === "approved"
                ? `Declined by the rules: ${reasons[scan.reason].toLowerCase()}`
                : reasons[scan.reason]}
            </Quiet>
          )}
        </Lines>
      ),
    },
    {
      header: "Direction",
      cell: ({ type }) => (type === "checkin" ? "Check-in" : "Check-out"),
      visibleFrom: "sm",
      width: 110,
    },
    { header: "Device", cell: ({ deviceName }) => deviceName ?? "–", visibleFrom: "sm" },
    {
      header: "Ticket",
      cell: ({ name, ticketName }) => (
        <Lines>
          <span>{ticketName ?? "–"}</span>
          {name && <Quiet>{name}</Quiet>}
        </Lines>
      ),
      visibleFrom: "md",
    },
    {
      header: "Code",
      cell: ({ barcode }) => (
        <Text size="sm" ff="monospace" maw={220} truncate>
          {barcode}
        </Text>
      ),
      visibleFrom: "lg",
    },
  ];
}
