import { Button, Drawer, Group, Text } from "@mantine/core";
import { FlaskConical, ScanLine } from "lucide-react";
import { useMemo, useState } from "react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { Lines, Quiet, RowButton } from "../../components/cells";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { filtersIn, type Narrowed, useFilters } from "../../components/useFilters";
import type { Asks } from "../../session/early";
import { Occupancy } from "./Occupancy";
import { ScanDetails } from "./ScanDetails";
import { ScanFilters } from "./ScanFilters";
import { ScanMarks, ScanResultPill } from "./ScanPills";
import { filterNames, reasons, type Scan, scanFilter, since } from "./scans";
import { ScansDocument } from "./scans.generated";

const context = { additionalTypenames: ["Scan"] };

/** The question for what an address shows. */
function scansAt({ values, after }: Narrowed<typeof filterNames>) {
  const filter = { ...scanFilter(values), timeFrom: since(values.period) };
  return { query: ScansDocument, variables: { first: 50, after, filter }, context };
}

export const asks: Asks = ({ search }) => [scansAt(filtersIn(search, filterNames))];

export default function ScansPage() {
  const filters = useFilters(...filterNames);
  const [shown, setShown] = useState<string>();
  const shownColumns = useMemo(() => columns(setShown), []);
  const [{ data, error }, again] = useQuery(scansAt(filters));
  const rows = data?.scans.nodes;
  const scan = rows?.find(({ _id }) => _id === shown);
  return (
    <Page
      title="Scan log"
      text="Every scan, let in or not, newest first."
      actions={
        <Button component={Link} to="/simulator" variant="default" leftSection={<FlaskConical size={16} aria-hidden />}>
          Simulate a scan
        </Button>
      }
    >
      <ScanFilters filters={filters} refresh={() => again({ requestPolicy: "network-only" })} />
      {filters.values.event && <Occupancy key={filters.values.event} eventId={filters.values.event} />}
      <DataTable
        label="Scans"
        columns={shownColumns}
        rows={rows}
        rowKey={({ _id }) => _id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.scans.pageInfo) }}
        empty={{
          icon: ScanLine,
          title: "No scans in the last 24 hours",
          text: "What devices scan appears here. Older scans are found with another period.",
          action: (
            <Button variant="default" onClick={() => filters.set({ period: "all" })}>
              Show scans of any time
            </Button>
          ),
        }}
      />
      <Drawer
        opened={scan !== undefined}
        onClose={() => setShown(undefined)}
        title="Scan"
        position="right"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {scan && <ScanDetails of={scan} />}
      </Drawer>
    </Page>
  );
}

function columns(show: (id: string) => void): Column<Scan>[] {
  return [
    {
      header: "Time",
      cell: (scan) => (
        <Lines>
          <RowButton onClick={() => show(scan._id)}>
            <RelativeTime at={scan.time} />
          </RowButton>
          <Quiet hiddenFrom="sm">
            {scan.deviceName ?? "without a device"}, {scan.type === "checkin" ? "in" : "out"}
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
              {scan.scanResult === "approved" ? "Rules say: " : ""}
              {reasons[scan.reason]}
            </Quiet>
          )}
        </Lines>
      ),
    },
    { header: "Direction", cell: ({ type }) => (type === "checkin" ? "in" : "out"), visibleFrom: "sm", width: 90 },
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
