import { Anchor } from "@mantine/core";
import { Smartphone } from "lucide-react";
import { useMemo } from "react";
import { Link } from "react-router";
import { Lines, Quiet, RowLink } from "../../components/cells";
import { type Choice, nameOf, useScanGroupChoices } from "../../components/choices";
import type { Column } from "../../components/DataTable";
import { choices, search, select } from "../../components/fields";
import { ListPage } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { RelativeTime } from "../../components/RelativeTime";
import { address, narrowed } from "../../lib/address";
import { since } from "../scans/scans";
import { DeviceStatus } from "./DeviceStatus";
import { type Device, silences, silentSince } from "./devices";
import { DevicesDocument, type DevicesQuery } from "./devices.generated";

type Row = DevicesQuery["accessUsers"]["nodes"][number];

const devices = defineList({
  document: DevicesDocument,
  rows: (data) => data.accessUsers,
  types: ["AccessUser", "Scan"],
  fields: [search("name", "Search by name")],
  more: [
    choices({ name: "group", label: "Scan group", useOptions: useScanGroupChoices }),
    select({
      name: "active",
      label: "Status",
      any: "Any status",
      of: { yes: "Enabled", no: "Disabled" },
    }),
    select({ name: "silent", label: "Activity", any: "Any activity", of: silences }),
  ],
  variables: (page, { name, active, group, silent }) => ({
    ...page,
    filter: {
      name,
      scanGroupId: group,
      active: active ? active === "yes" : undefined,
      unusedSince: silentSince(silent),
    },
    since: since(undefined) ?? "",
  }),
});

export const { asks } = devices;

export default function DevicesPage() {
  const groups = useScanGroupChoices();
  const shownColumns = useMemo(() => columns(groups), [groups]);
  return (
    <ListPage
      title="Devices"
      text="Devices scan tickets at the gate. The scan group of a device determines which tickets it admits."
      create={{ to: "/devices/new", label: "Create device", role: "MANAGER" }}
      list={devices}
      columns={shownColumns}
      empty={{
        icon: Smartphone,
        title: "No devices yet",
        text: "Create a device for each scanner or gate. Then copy its token, or pair it with a code.",
      }}
    />
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

/** The number of scans in 24 hours, as a link to the scan log. */
function ScanCount({ of: { _id, scanCount } }: { of: Row }) {
  if (!scanCount) return scanCount === 0 ? "0" : "–";
  return (
    <Anchor underline="always" component={Link} to={narrowed("/scans", "device", _id)} fz="inherit">
      {scanCount.toLocaleString()}
    </Anchor>
  );
}

function eventCount({ accessAllEvents, events }: Device) {
  return accessAllEvents ? "All" : events.length;
}

function GroupName({ of: device, groups }: { of: Device; groups: Choice[] }) {
  const id = device.deviceSettings?.scanGroupId;
  return id ? nameOf(groups, id) : "No scan group";
}
