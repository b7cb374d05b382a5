import { Button } from "@mantine/core";
import { DoorOpen, Plus } from "lucide-react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { Lines, Quiet, RowLink } from "../../components/cells";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { FilterBar, SearchFilter } from "../../components/Filters";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { filtersIn, type Narrowed, useFilters } from "../../components/useFilters";
import { address } from "../../lib/address";
import type { Asks } from "../../session/early";
import { useMay } from "../../session/session";
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
  { header: "Scans", cell: directionsOf, visibleFrom: "sm" },
  { header: "Tap and go", cell: (group) => (group.scanConfig?.tapAndGo?.enabled ? "on" : "off"), visibleFrom: "md" },
  { header: "Changed", cell: (group) => <RelativeTime at={group.updatedAt} />, visibleFrom: "sm", width: 160 },
];

function directionsOf({ scanConfig }: ScanGroup): string {
  const { checkin, checkout } = scanConfig?.scanTypes ?? { checkin: true, checkout: false };
  return [checkin && "check-in", checkout && "check-out"].filter(Boolean).join(", ");
}

const context = { additionalTypenames: ["ScanGroup"] };

const names = ["name"] as const;

/** The question for what an address shows. */
function scanGroupsAt({ values, after }: Narrowed<typeof names>) {
  const filter = { name: values.name };
  return { query: ScanGroupsDocument, variables: { first: 50, after, filter }, context };
}

export const asks: Asks = ({ search }) => [scanGroupsAt(filtersIn(search, names))];

export default function ScanGroupsPage() {
  const filters = useFilters(...names);
  const { name } = filters.values;
  const [{ data, error }, again] = useQuery(scanGroupsAt(filters));
  const create = useMay("MANAGER") && (
    <Button component={Link} to="/scan-groups/new" leftSection={<Plus size={16} aria-hidden />}>
      Create scan group
    </Button>
  );
  return (
    <Page
      title="Scan groups"
      text="Which events and ticket types may be scanned, when, and how the devices behave that do it."
      actions={create}
    >
      <FilterBar>
        <SearchFilter label="Search by name" value={name} onChange={(value) => filters.set({ name: value })} />
      </FilterBar>
      <DataTable
        label="Scan groups"
        columns={columns}
        rows={data?.scanGroups.nodes}
        rowKey={(group) => group._id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.scanGroups.pageInfo) }}
        empty={{
          icon: DoorOpen,
          title: "No scan groups yet",
          text: "A device needs one before it can scan: it says which events it lets people into.",
          action: create,
        }}
      />
    </Page>
  );
}
