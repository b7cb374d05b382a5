import { Anchor, Button } from "@mantine/core";
import { Plus, Smartphone } from "lucide-react";
import { useMemo } from "react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { Lines, Quiet, RowLink } from "../../components/cells";
import { type Choice, nameOf, useScanGroupChoices } from "../../components/choices";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { FilterBar, SearchFilter, SelectFilter } from "../../components/Filters";
import { MoreFilters } from "../../components/MoreFilters";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { choice, filtersIn, type Narrowed, useFilters } from "../../components/useFilters";
import { address, narrowed } from "../../lib/address";
import type { Asks } from "../../session/early";
import { useMay } from "../../session/session";
import { since } from "../scans/scans";
import { DeviceStatus } from "./DeviceStatus";
import { type Device, silences, silentSince } from "./devices";
import { DevicesDocument, type DevicesQuery } from "./devices.generated";

type Row = DevicesQuery["accessUsers"]["nodes"][number];

const context = { additionalTypenames: ["AccessUser", "Scan"] };

const names = [
  "name",
  choice("active", ["yes", "no"]),
  "group",
  choice(
    "silent",
    silences.map(({ value }) => value),
  ),
] as const;

/** The question for what an address shows. */
function devicesAt({ values, after }: Narrowed<typeof names>) {
  const { name, active, group, silent } = values;
  const filter = {
    name,
    scanGroupId: group,
    active: active ? active === "yes" : undefined,
    unusedSince: silentSince(silent),
  };
  return { query: DevicesDocument, variables: { first: 50, after, filter, since: since(undefined) ?? "" }, context };
}

export const asks: Asks = ({ search }) => [devicesAt(filtersIn(search, names))];

export default function DevicesPage() {
  const filters = useFilters(...names);
  const { name, active, group, silent } = filters.values;
  const groups = useScanGroupChoices();
  const [{ data, error }, again] = useQuery(devicesAt(filters));
  const shownColumns = useMemo(() => columns(groups), [groups]);
  const create = useMay("MANAGER") && (
    <Button component={Link} to="/devices/new" leftSection={<Plus size={16} aria-hidden />}>
      Create device
    </Button>
  );
  return (
    <Page
      title="Devices"
      text="A device scans tickets at a door. Its scan group says which events it lets people into, and how."
      actions={create}
    >
      <FilterBar>
        <SearchFilter label="Search by name" value={name} onChange={(value) => filters.set({ name: value })} />
        <MoreFilters values={[group, active, silent]}>
          <SelectFilter
            label="Scan group"
            any="Any scan group"
            searchable
            options={groups}
            value={group}
            onChange={(value) => filters.set({ group: value })}
          />
          <SelectFilter
            label="Switched"
            any="On or off"
            options={[
              { value: "yes", label: "Switched on" },
              { value: "no", label: "Switched off" },
            ]}
            value={active}
            onChange={(value) => filters.set({ active: value })}
          />
          <SelectFilter
            label="Heard from"
            any="Heard from or not"
            options={silences.map(({ value, label }) => ({ value, label }))}
            value={silent}
            onChange={(value) => filters.set({ silent: value })}
          />
        </MoreFilters>
      </FilterBar>
      <DataTable
        label="Devices"
        columns={shownColumns}
        rows={data?.accessUsers.nodes}
        rowKey={(device) => device._id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.accessUsers.pageInfo) }}
        empty={{
          icon: Smartphone,
          title: "No devices yet",
          text: "Create one for each scanner or gate. It gets a token of its own, or a code to pair it with.",
          action: create,
        }}
      />
    </Page>
  );
}

function columns(groups: Choice[]): Column<Row>[] {
  return [
    {
      header: "Name",
      cell: (device) => (
        <Lines>
          <RowLink to={address("/devices", device._id)}>{device.name}</RowLink>
          <Quiet hiddenFrom="sm">
            <GroupName of={device} groups={groups} />
          </Quiet>
          <Quiet hiddenFrom="sm">
            Scans, 24 h: <ScanCount of={device} />
          </Quiet>
        </Lines>
      ),
    },
    { header: "Status", cell: (device) => <DeviceStatus of={device} />, width: 130 },
    { header: "Scan group", cell: (device) => <GroupName of={device} groups={groups} />, visibleFrom: "sm" },
    { header: "Events", cell: eventCount, visibleFrom: "md", width: 100 },
    {
      header: "Scans, 24 h",
      cell: (device) => <ScanCount of={device} />,
      align: "right",
      visibleFrom: "sm",
      width: 110,
    },
    { header: "Last seen", cell: (device) => <RelativeTime at={device.lastUsedAt} />, visibleFrom: "sm", width: 140 },
    { header: "Expires", cell: (device) => <RelativeTime at={device.expires} />, visibleFrom: "lg", width: 140 },
  ];
}

/** How many scans a device made in 24 hours, with the way to them. */
function ScanCount({ of: { _id, scanCount } }: { of: Row }) {
  if (!scanCount) return scanCount === 0 ? "0" : "–";
  return (
    <Anchor underline="always" component={Link} to={narrowed("/scans", "device", _id)} fz="inherit">
      {scanCount.toLocaleString()}
    </Anchor>
  );
}

function eventCount({ accessAllEvents, events }: Device) {
  return accessAllEvents ? "all" : events.length;
}

function GroupName({ of: device, groups }: { of: Device; groups: Choice[] }) {
  const id = device.deviceSettings?.scanGroupId;
  return id ? nameOf(groups, id) : "no scan group";
}
