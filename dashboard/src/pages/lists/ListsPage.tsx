import { Button } from "@mantine/core";
import { ListChecks, Plus } from "lucide-react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { Lines, Quiet, RowLink } from "../../components/cells";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { FilterBar, SearchFilter } from "../../components/Filters";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { StatusPill } from "../../components/StatusPill";
import { filtersIn, type Narrowed, useFilters } from "../../components/useFilters";
import { address } from "../../lib/address";
import type { Asks } from "../../session/early";
import { useMay } from "../../session/session";
import { listTypes, type SizedList, sizeOf } from "./lists";
import { ListsDocument } from "./lists.generated";

const columns: Column<SizedList>[] = [
  {
    header: "Name",
    cell: (list) => (
      <Lines>
        <RowLink to={address("/lists", list._id)}>{list.name}</RowLink>
        {list.http && <Quiet lines={1}>{list.http.url}</Quiet>}
        {list.type === "static" && <Quiet hiddenFrom="xs">Entries: {sizeOf(list)}</Quiet>}
      </Lines>
    ),
  },
  { header: "Type", cell: (list) => <StatusPill {...listTypes[list.type]} /> },
  { header: "Entries", cell: sizeOf, align: "right", width: 110, visibleFrom: "xs" },
  { header: "Created", cell: (list) => <RelativeTime at={list.createdAt} />, visibleFrom: "md" },
  { header: "Changed", cell: (list) => <RelativeTime at={list.updatedAt} />, visibleFrom: "sm" },
];

// What an answer doesn't name, and what would change it all the same.
const context = {
  additionalTypenames: ["AccessList", "AccessListEntry", "DeletedAccessListEntries", "EntryImportReport"],
};

const names = ["name"] as const;

/** The question for what an address shows. */
function listsAt({ values, after }: Narrowed<typeof names>) {
  const filter = { name: values.name };
  return { query: ListsDocument, variables: { first: 50, after, filter }, context };
}

export const asks: Asks = ({ search }) => [listsAt(filtersIn(search, names))];

export default function ListsPage() {
  const filters = useFilters(...names);
  const { name } = filters.values;
  const [{ data, error }, again] = useQuery(listsAt(filters));
  const rows = data?.accessLists.nodes;
  const create = useMay("MANAGER") && (
    <Button component={Link} to="/lists/new" leftSection={<Plus size={16} aria-hidden />}>
      Create list
    </Button>
  );
  return (
    <Page
      title="Access lists"
      text="Codes of cards, wristbands and other media that a device at the door exchanges for a ticket."
      actions={create}
    >
      <FilterBar>
        <SearchFilter label="Search by name" value={name} onChange={(value) => filters.set({ name: value })} />
      </FilterBar>
      <DataTable
        label="Access lists"
        columns={columns}
        rows={rows}
        rowKey={(list) => list._id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.accessLists.pageInfo) }}
        empty={{
          icon: ListChecks,
          title: "No access lists yet",
          text: "Create one to let people in with a code that is not their ticket's own, such as a season card.",
          action: create,
        }}
      />
    </Page>
  );
}
