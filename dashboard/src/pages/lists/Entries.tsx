import { Button, Code, Group, Stack } from "@mantine/core";
import { IdCard, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { Link } from "react-router";
import { Lines, Quiet, RowButton } from "../../components/cells";
import type { Column } from "../../components/DataTable";
import { field, search } from "../../components/fields";
import classes from "../../components/filters.module.css";
import { List } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { RelativeTime } from "../../components/RelativeTime";
import { useMay } from "../../session/session";
import { EntryDrawer } from "./EntryDrawer";
import { EventSelect } from "./EventSelect";
import { EntriesDocument } from "./entries.generated";
import { type Entry, entryTypes, holderOf } from "./lists";
import { RemoveEntries } from "./RemoveEntries";

type Filters = "code" | "email" | "customer" | "without";

/** Returns the API filter for the filters in the address. */
const entryFilter = ({ code, email, customer, without }: Partial<Record<Filters, string | undefined>>) => ({
  externalCode: code,
  email,
  customerId: customer,
  withoutTicketFor: without,
});

/** The list of entries. */
export const entriesOf = (listId: string) =>
  defineList({
    document: EntriesDocument,
    rows: (data) => data.accessListEntries,
    types: entryTypes,
    fields: [search("code", "Exact code")],
    more: [
      search("email", "Exact email"),
      search("customer", "Customer ID"),
      field("without", ({ value, onChange }) => (
        <EventSelect
          aria-label="No ticket for"
          placeholder="No ticket for…"
          value={value}
          onChange={onChange}
          className={classes.search}
        />
      )),
    ],
    variables: (page, values) => ({ listId, ...page, filter: entryFilter(values) }),
  });

/** The entries of a static list, with actions for managers. */
export function Entries({ listId }: { listId: string }) {
  const list = useMemo(() => entriesOf(listId), [listId]);
  const mayChange = useMay("MANAGER");
  const [shown, setShown] = useState<Entry | "new">();
  const shownColumns = useMemo(() => columns(setShown), []);
  const add = mayChange && (
    <Button ml={{ sm: "auto" }} leftSection={<Plus size={16} aria-hidden />} onClick={() => setShown("new")}>
      Add entry
    </Button>
  );
  return (
    <Stack>
      <List
        list={list}
        label="Entries"
        columns={shownColumns}
        bar={() => add}
        selectable={mayChange ? nameOf : undefined}
        above={({ rows, filters, selected, done }) => {
          const filter = filters.filtered && rows && rows.length > 0 ? entryFilter(filters.values) : undefined;
          return mayChange && <RemoveEntries listId={listId} ids={selected} filter={filter} onDone={done} />;
        }}
        empty={{
          icon: IdCard,
          title: "No entries yet",
          text: "Add codes one by one, or import them from a file.",
          action: () =>
            mayChange && (
              <Group gap="sm">
                <Button variant="default" component={Link} to="?tab=import">
                  Import entries
                </Button>
                {add}
              </Group>
            ),
        }}
      >
        {({ refresh }) => (
          <EntryDrawer listId={listId} of={shown} onClose={() => setShown(undefined)} onStale={refresh} />
        )}
      </List>
    </Stack>
  );
}

const nameOf = ({ externalCode }: Entry) => externalCode;

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
    { header: "Email", cell: (entry) => entry.email ?? "–", visibleFrom: "md" },
    {
      header: "Customer",
      cell: (entry) => (entry.customerId ? <Code>{entry.customerId}</Code> : "–"),
      visibleFrom: "lg",
    },
    { header: "Updated", cell: (entry) => <RelativeTime at={entry.updatedAt} />, visibleFrom: "xs" },
  ];
}
