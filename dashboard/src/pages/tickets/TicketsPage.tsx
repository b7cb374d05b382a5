import { Ticket as TicketIcon } from "lucide-react";
import { Lines, Quiet, RowLink } from "../../components/cells";
import { useAllEvents } from "../../components/choices";
import type { Column } from "../../components/DataTable";
import { days } from "../../components/DayFilter";
import { choices, search, select } from "../../components/fields";
import { ListPage } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { RelativeTime } from "../../components/RelativeTime";
import { address } from "../../lib/address";
import { daySpan } from "../../lib/days";
import { oneOf } from "../../lib/states";
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
        <Quiet lines={2}>{personName(ticket) ?? "No holder"}</Quiet>
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

const tickets = defineList({
  document: TicketsDocument,
  rows: (data) => data.tickets,
  types: ["Ticket"],
  fields: [search("q", "Name, email, barcode or seat")],
  more: [
    search("email", "Exact email"),
    select({ name: "status", label: "Status", of: ticketStates }),
    select({ name: "type", label: "Kind", of: ticketKinds }),
    select({ name: "origin", label: "Origin", of: ticketOrigins }),
    choices({ name: "event", label: "Event", useOptions: useAllEvents }),
    days("Created"),
  ],
  linked: ["transaction", "customer"],
  variables(page, { q, email, status, type, origin, event, transaction, customer, from, until }) {
    const filter = {
      text: q,
      email,
      status: oneOf(ticketStates, status),
      type: oneOf(ticketKinds, type),
      origin: oneOf(ticketOrigins, origin),
      eventId: event,
      transactionId: transaction,
      customerId: customer,
      ...daySpan("created", from, until),
    };
    return { ...page, filter };
  },
});

export const { asks } = tickets;

export default function TicketsPage() {
  return (
    <ListPage
      title="Tickets"
      text="Every ticket issued, newest first."
      list={tickets}
      columns={columns}
      live
      empty={{
        icon: TicketIcon,
        title: "No tickets yet",
        text: "Tickets appear here when a checkout is completed, or when you import them with importTickets.",
      }}
    />
  );
}
