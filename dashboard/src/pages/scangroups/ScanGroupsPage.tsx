import { DoorOpen } from "lucide-react";
import { Lines, Quiet, RowLink } from "../../components/cells";
import type { Column } from "../../components/DataTable";
import { search } from "../../components/fields";
import { ListPage } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { RelativeTime } from "../../components/RelativeTime";
import { address } from "../../lib/address";
import type { ScanGroup } from "./scangroups";
import { ScanGroupsDocument } from "./scangroups.generated";

const columns: Column<ScanGroup>[] = [
  {
    header: "Name",
    cell: (group) => (
      <Lines>
        <RowLink to={address("/scan-groups", group._id)}>{group.name}</RowLink>
        <Quiet hiddenFrom="sm">{directionsOf(group)}</Quiet>
      </Lines>
    ),
  },
  { header: "Events", cell: (group) => group.scanConfig?.events?.length ?? 0, align: "right", width: 90 },
  { header: "Directions", cell: directionsOf, visibleFrom: "sm" },
  { header: "Tap and go", cell: (group) => (group.scanConfig?.tapAndGo?.enabled ? "On" : "Off"), visibleFrom: "md" },
  { header: "Updated", cell: (group) => <RelativeTime at={group.updatedAt} />, visibleFrom: "sm", width: 160 },
];

function directionsOf({ scanConfig }: ScanGroup): string {
  const { checkin, checkout } = scanConfig?.scanTypes ?? { checkin: true, checkout: false };
  return [checkin && "Check-in", checkout && "Check-out"].filter(Boolean).join(", ");
}

const scanGroups = defineList({
  document: ScanGroupsDocument,
  rows: (data) => data.scanGroups,
  types: ["ScanGroup"],
  fields: [search("name", "Search by name")],
  variables: (page, { name }) => ({ ...page, filter: { name } }),
});

export const { asks } = scanGroups;

export default function ScanGroupsPage() {
  return (
    <ListPage
      title="Scan groups"
      text="Rules that decide which tickets devices admit and when, and how devices show results."
      create={{ to: "/scan-groups/new", label: "Create scan group", role: "MANAGER" }}
      list={scanGroups}
      columns={columns}
      empty={{
        icon: DoorOpen,
        title: "No scan groups yet",
        text: "A scan group determines which tickets a device admits. A device without a scan group can't scan.",
      }}
    />
  );
}
