import { Ticket as TicketIcon } from "lucide-react";
import { useQuery } from "urql";
import { Lines, Quiet, RowLink } from "../../components/cells";
import { type Column, DataTable, nextPage } from "../../components/DataTable";
import { DayFilter } from "../../components/DayFilter";
import { FilterBar, LiveSwitch, SearchFilter, SelectFilter } from "../../components/Filters";
import { MoreFilters } from "../../components/MoreFilters";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { choice, type Filters, filtersIn, type Narrowed, useFilters } from "../../components/useFilters";
import { address } from "../../lib/address";
import { daySpan } from "../../lib/days";
import { oneOf, optionsOf } from "../../lib/states";
import type { Asks } from "../../session/early";
import { EventFilter } from "../sales/EventFilter";
import { money, personName } from "../sales/sales";
import { TicketPill } from "./TicketStatus";
import { ticketKinds, ticketOrigins, ticketStates } from "./tickets";
import { TicketsDocument, type TicketsQuery } from "./tickets.generated";

type Row = TicketsQuery["tickets"]["nodes"][number];

const columns: Column<Row>[] = [
  {
    header: "Ticket",
    cell: (ticket) => (
      <Lines>
        <RowLink to={address("/tickets", ticket._id)}>{ticket.ticketName}</RowLink>
        <Quiet lines={2}>{personName(ticket) ?? "no holder named"}</Quiet>
      </Lines>
    ),
  },
  { header: "Status", cell: (ticket) => <TicketPill status={ticket.status} /> },
  { header: "Seat", cell: (ticket) => ticket.seat || "–", visibleFrom: "md" },
  {
    header: "Price",
    cell: (ticket) => money(ticket.realPrice, ticket.currency),
    visibleFrom: "sm",
    align: "right",
  },
  { header: "Created", cell: (ticket) => <RelativeTime at={ticket.createdAt} />, visibleFrom: "sm" },
];

const names = [
  "q",
  "email",
  choice("status", Object.keys(ticketStates)),
  choice("type", Object.keys(ticketKinds)),
  choice("origin", Object.keys(ticketOrigins)),
  "event",
  "transaction",
  "customer",
  "from",
  "until",
] as const;
const context = { additionalTypenames: ["Ticket"] };

/** The question for what an address shows. */
const ticketsAt = ({ values, after }: Narrowed<typeof names>) => ({
  query: TicketsDocument,
  variables: { first: 50, after, filter: filterOf(values) },
  context,
});

export const asks: Asks = ({ search }) => [ticketsAt(filtersIn(search, names))];

export default function TicketsPage() {
  const filters = useFilters(...names);
  const [{ data, error }, again] = useQuery(ticketsAt(filters));
  return (
    <Page title="Tickets" text="What admits people to events. Newest first.">
      <TicketFilters filters={filters} refresh={() => again({ requestPolicy: "network-only" })} />
      <DataTable
        label="Tickets"
        columns={columns}
        rows={data?.tickets.nodes}
        rowKey={(ticket) => ticket._id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.tickets.pageInfo) }}
        empty={{
          icon: TicketIcon,
          title: "No tickets yet",
          text: "They appear here when a checkout is completed, or when they are imported by importTickets.",
        }}
      />
    </Page>
  );
}

function filterOf(values: Filters["values"]) {
  const { q, email, status, type, origin, event, transaction, customer } = values;
  const { from, until } = daySpan(values.from, values.until);
  return {
    text: q,
    email,
    status: oneOf(ticketStates, status),
    type: oneOf(ticketKinds, type),
    origin: oneOf(ticketOrigins, origin),
    eventId: event,
    transactionId: transaction,
    customerId: customer,
    createdFrom: from,
    createdUntil: until,
  };
}

function TicketFilters({ filters, refresh }: { filters: Filters; refresh: () => void }) {
  const { values, set } = filters;
  return (
    <FilterBar>
      <SearchFilter label="Name, e-mail, barcode or seat" value={values.q} onChange={(q) => set({ q })} />
      <MoreFilters
        values={[values.email, values.status, values.type, values.origin, values.event, values.from, values.until]}
      >
        <SearchFilter slash={false} label="Whole e-mail" value={values.email} onChange={(email) => set({ email })} />
        <SelectFilter
          label="Status"
          any="Any status"
          options={optionsOf(ticketStates)}
          value={values.status}
          onChange={(status) => set({ status })}
        />
        <SelectFilter
          label="Kind"
          any="Any kind"
          options={optionsOf(ticketKinds)}
          value={values.type}
          onChange={(type) => set({ type })}
        />
        <SelectFilter
          label="Origin"
          any="Any origin"
          options={optionsOf(ticketOrigins)}
          value={values.origin}
          onChange={(origin) => set({ origin })}
        />
        <EventFilter value={values.event} onChange={(event) => set({ event })} />
        <DayFilter
          label="Created between"
          from={values.from}
          until={values.until}
          onChange={(from, until) => set({ from, until })}
        />
      </MoreFilters>
      <LiveSwitch refresh={refresh} />
    </FilterBar>
  );
}
