import { Button, Code, Group, Stack } from "@mantine/core";
import { IdCard, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { Lines, Quiet, RowButton } from "../../components/cells";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { FilterBar, SearchFilter } from "../../components/Filters";
import classes from "../../components/filters.module.css";
import { MoreFilters } from "../../components/MoreFilters";
import { RelativeTime } from "../../components/RelativeTime";
import { selectionColumn } from "../../components/selection";
import { type Narrowed, useFilters } from "../../components/useFilters";
import { useMay } from "../../session/session";
import { EntryDrawer } from "./EntryDrawer";
import { EventSelect } from "./EventSelect";
import { type AccessListEntryFilter, EntriesDocument } from "./entries.generated";
import { type Entry, holderOf } from "./lists";
import { RemoveEntries } from "./RemoveEntries";

const context = { additionalTypenames: ["AccessListEntry", "DeletedAccessListEntries", "EntryImportReport"] };

export const filterNames = ["code", "email", "customer", "without"] as const;

/** What the API takes of the filters in the address. */
function entryFilter({
  code,
  email,
  customer,
  without,
}: Narrowed<typeof filterNames>["values"]): AccessListEntryFilter {
  return { externalCode: code, email, customerId: customer, withoutTicketFor: without };
}

/** The question for what an address shows of a list. */
export function entriesAt(listId: string, { values, after }: Narrowed<typeof filterNames>) {
  return { query: EntriesDocument, variables: { listId, first: 50, after, filter: entryFilter(values) }, context };
}

/** The entries of a static list. */
export function Entries({ listId }: { listId: string }) {
  const filters = useFilters(...filterNames);
  const { code, email, customer, without } = filters.values;
  const mayChange = useMay("MANAGER");
  const [shown, setShown] = useState<Entry | "new">();
  const [ticked, setTicked] = useState<string[]>([]);
  const [{ data, error }, again] = useQuery(entriesAt(listId, filters));
  const rows = data?.accessListEntries.nodes;
  // What has left the page is not selected any more: nobody would see it.
  const selected = useMemo(() => ticked.filter((id) => rows?.some((row) => row._id === id)), [ticked, rows]);
  const shownColumns = useMemo(
    () => [...(mayChange ? [selectionOf(rows ?? [], selected, setTicked)] : []), ...columns(setShown)],
    [mayChange, rows, selected],
  );
  const add = mayChange && (
    <Button ml={{ sm: "auto" }} leftSection={<Plus size={16} aria-hidden />} onClick={() => setShown("new")}>
      Add entry
    </Button>
  );
  return (
    <Stack>
      <FilterBar>
        <SearchFilter label="Code, exactly" value={code} onChange={(value) => filters.set({ code: value })} />
        <MoreFilters values={[email, customer, without]}>
          <SearchFilter
            slash={false}
            label="E-mail"
            value={email}
            onChange={(value) => filters.set({ email: value })}
          />
          <SearchFilter
            slash={false}
            label="Id of the customer"
            value={customer}
            onChange={(value) => filters.set({ customer: value })}
          />
          <EventSelect
            aria-label="Without a ticket for"
            placeholder="Without a ticket for…"
            value={without}
            onChange={(value) => filters.set({ without: value })}
            className={classes.search}
          />
        </MoreFilters>
        {add}
      </FilterBar>
      {mayChange && (
        <RemoveEntries
          listId={listId}
          ids={selected}
          filter={filters.filtered && rows && rows.length > 0 ? entryFilter(filters.values) : undefined}
          onDone={() => {
            setTicked([]);
            again({ requestPolicy: "network-only" });
          }}
        />
      )}
      <DataTable
        label="Entries"
        columns={shownColumns}
        rows={rows}
        rowKey={(entry) => entry._id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.accessListEntries.pageInfo) }}
        empty={{
          icon: IdCard,
          title: "No entries yet",
          text: "Add the codes one by one, or import a file of them.",
          action: mayChange && (
            <Group gap="sm">
              <Button variant="default" component={Link} to="?tab=import">
                Import a file
              </Button>
              {add}
            </Group>
          ),
        }}
      />
      <EntryDrawer
        listId={listId}
        of={shown}
        onClose={() => setShown(undefined)}
        onStale={() => again({ requestPolicy: "network-only" })}
      />
    </Stack>
  );
}

function selectionOf(rows: Entry[], selected: string[], select: (ids: string[]) => void) {
  return selectionColumn({
    rows,
    keyOf: ({ _id }) => _id,
    nameOf: ({ externalCode }) => externalCode,
    selected,
    select,
  });
}

function columns(show: (entry: Entry) => void): Column<Entry>[] {
  return [
    {
      header: "Code",
      cell: (entry) => (
        <Lines>
          <RowButton onClick={() => show(entry)}>
            <Code>{entry.externalCode}</Code>
          </RowButton>
          <Quiet hiddenFrom="sm">{holderOf(entry) || entry.email || entry.customerId}</Quiet>
        </Lines>
      ),
    },
    { header: "Holder", cell: (entry) => holderOf(entry) || "–", visibleFrom: "sm" },
    { header: "E-mail", cell: (entry) => entry.email ?? "–", visibleFrom: "md" },
    {
      header: "Customer",
      cell: (entry) => (entry.customerId ? <Code>{entry.customerId}</Code> : "–"),
      visibleFrom: "lg",
    },
    { header: "Changed", cell: (entry) => <RelativeTime at={entry.updatedAt} />, visibleFrom: "xs" },
  ];
}
