import { Drawer } from "@mantine/core";
import { ScrollText } from "lucide-react";
import { useMemo, useState } from "react";
import { useQuery } from "urql";
import { Lines, Quiet, RowButton } from "../../components/cells";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { DayFilter } from "../../components/DayFilter";
import { FilterBar, SearchFilter } from "../../components/Filters";
import { MoreFilters } from "../../components/MoreFilters";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { filtersIn, type Narrowed, useFilters } from "../../components/useFilters";
import { daySpan } from "../../lib/days";
import type { Asks } from "../../session/early";
import { AuditLogDocument } from "./audit.generated";
import { Actor, type Entry, EntryDetails, Identified, Named } from "./EntryDetails";
import { inWords } from "./words";

const context = { additionalTypenames: ["AuditEntry"] };

const names = ["action", "kind", "object", "actor", "from", "until"] as const;

/** The question for what an address shows. */
function auditAt({ values, after }: Narrowed<typeof names>) {
  const { action, kind, object, actor, from, until } = values;
  const span = daySpan(from, until);
  const filter = {
    action,
    object: kind,
    objectId: object,
    actorId: actor,
    atFrom: span.from,
    atUntil: span.until,
  };
  return { query: AuditLogDocument, variables: { first: 50, after, filter }, context };
}

export const asks: Asks = ({ search }) => [auditAt(filtersIn(search, names))];

export default function AuditPage() {
  const filters = useFilters(...names);
  const { action, kind, object, actor, from, until } = filters.values;
  const [shown, setShown] = useState<Entry>();
  const shownColumns = useMemo(() => columns(setShown), []);
  const [{ data, error }, again] = useQuery(auditAt(filters));
  return (
    <Page
      title="Audit log"
      text="Changes at this seller: who did what, when, and what was different afterwards. Newest first."
    >
      <FilterBar>
        <SearchFilter
          label="Action, such as updateApiKey"
          value={action}
          onChange={(value) => filters.set({ action: value })}
        />
        <MoreFilters values={[kind, object, actor, from, until]}>
          <SearchFilter
            slash={false}
            label="Kind of object, such as apiKey"
            value={kind}
            onChange={(value) => filters.set({ kind: value })}
          />
          <SearchFilter
            slash={false}
            label="Id of the object"
            value={object}
            onChange={(value) => filters.set({ object: value })}
          />
          <SearchFilter
            slash={false}
            label="Id of the actor"
            value={actor}
            onChange={(value) => filters.set({ actor: value })}
          />
          <DayFilter label="Days" from={from} until={until} onChange={(from, until) => filters.set({ from, until })} />
        </MoreFilters>
      </FilterBar>
      <DataTable
        label="Audit log"
        columns={shownColumns}
        rows={data?.auditLog.nodes}
        rowKey={(entry) => entry._id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.auditLog.pageInfo) }}
        empty={{ icon: ScrollText, title: "Nothing was changed yet", text: "Changes appear here as they are made." }}
      />
      <Drawer
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown && inWords(shown.action)}
        position="right"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        {shown && (
          <EntryDetails
            of={shown}
            onNarrow={(filter) => {
              setShown(undefined);
              filters.set({ action: null, kind: null, object: null, actor: null, from: null, until: null, ...filter });
            }}
          />
        )}
      </Drawer>
    </Page>
  );
}

function columns(show: (entry: Entry) => void): Column<Entry>[] {
  return [
    {
      header: "Action",
      cell: (entry) => (
        <Lines>
          <RowButton onClick={() => show(entry)}>{inWords(entry.action)}</RowButton>
          <Identified>{entry.action}</Identified>
          <Quiet hiddenFrom="sm">
            {inWords(entry.object)} {entry.objectId}
          </Quiet>
          {entry.actorName && <Quiet hiddenFrom="sm">{entry.actorName}</Quiet>}
        </Lines>
      ),
    },
    {
      header: "Object",
      cell: (entry) => <Named name={inWords(entry.object)} id={entry.objectId} />,
      visibleFrom: "sm",
    },
    { header: "By", cell: (entry) => <Actor of={entry} />, visibleFrom: "md" },
    { header: "When", cell: (entry) => <RelativeTime at={entry.at} /> },
    { header: "Address", cell: (entry) => entry.address, visibleFrom: "lg" },
  ];
}
