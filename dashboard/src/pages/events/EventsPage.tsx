import { Button } from "@mantine/core";
import { CalendarDays, Plus } from "lucide-react";
import { Link } from "react-router";
import { useQuery } from "urql";
import { Lines, Quiet, RowLink } from "../../components/cells";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { DayFilter } from "../../components/DayFilter";
import { FilterBar, SearchFilter, SelectFilter } from "../../components/Filters";
import { MoreFilters } from "../../components/MoreFilters";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { choice, filtersIn, type Narrowed, useFilters } from "../../components/useFilters";
import { address } from "../../lib/address";
import { daySpan } from "../../lib/days";
import { oneOf, optionsOf } from "../../lib/states";
import type { Asks } from "../../session/early";
import { useMay } from "../../session/session";
import { eventTypes, type TicketedEvent, timeAt } from "./events";
import { EventsDocument } from "./events.generated";

const columns: Column<TicketedEvent>[] = [
  {
    header: "Name",
    cell: (event) => (
      <Lines>
        <RowLink to={address("/events", event._id)}>{event.name}</RowLink>
        <Quiet>{eventTypes[event.type]}</Quiet>
      </Lines>
    ),
  },
  {
    header: "Start",
    cell: (event) => (
      <Lines>
        {/* A day and a time are two lines at most, beside a long name too. */}
        <div style={{ minWidth: "8.5rem" }}>{timeAt(event.start, event.timeZone)}</div>
        <Quiet>{event.timeZone}</Quiet>
      </Lines>
    ),
  },
  { header: "Starts", cell: (event) => <RelativeTime at={event.start} />, visibleFrom: "sm" },
  { header: "Changed", cell: (event) => <RelativeTime at={event.updatedAt} />, visibleFrom: "md" },
];

const context = { additionalTypenames: ["Event"] };

const names = ["q", choice("type", Object.keys(eventTypes)), "root", "parent", "from", "until"] as const;

/** The question for what an address shows. */
function eventsAt({ values, after }: Narrowed<typeof names>) {
  const { q, type, root, parent, from, until } = values;
  const span = daySpan(from, until);
  const filter = {
    name: q,
    type: oneOf(eventTypes, type),
    rootEventId: root,
    parentEventId: parent,
    startFrom: span.from,
    startUntil: span.until,
  };
  return { query: EventsDocument, variables: { first: 50, after, filter }, context };
}

export const asks: Asks = ({ search }) => [eventsAt(filtersIn(search, names))];

export default function EventsPage() {
  const filters = useFilters(...names);
  const { q, type, from, until } = filters.values;
  const [{ data, error }, again] = useQuery(eventsAt(filters));
  const create = useMay("MANAGER") && (
    <Button component={Link} to="/events/new" leftSection={<Plus size={16} aria-hidden />}>
      Create event
    </Button>
  );
  return (
    <Page title="Events" text="What tickets are sold for. Oldest first." actions={create}>
      <FilterBar>
        <SearchFilter label="Search by name" value={q} onChange={(value) => filters.set({ q: value })} />
        <MoreFilters values={[type, from, until]}>
          <SelectFilter
            label="Type"
            any="Any type"
            options={optionsOf(eventTypes)}
            value={type}
            onChange={(value) => filters.set({ type: value })}
          />
          <DayFilter
            label="Start between"
            from={from}
            until={until}
            onChange={(first, last) => filters.set({ from: first, until: last })}
          />
        </MoreFilters>
      </FilterBar>
      <DataTable
        label="Events"
        columns={columns}
        rows={data?.events.nodes}
        rowKey={(event) => event._id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.events.pageInfo) }}
        empty={{
          icon: CalendarDays,
          title: "No events yet",
          text: "An event is what tickets are sold for. Create one, then its ticket types.",
          action: create,
        }}
      />
    </Page>
  );
}
