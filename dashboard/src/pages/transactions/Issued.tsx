import { Anchor } from "@mantine/core";
import { FileText, Ticket } from "lucide-react";
import { Link } from "react-router";
import { Quiet, RowLink } from "../../components/cells";
import { type Column, DataTable } from "../../components/DataTable";
import { RelativeTime } from "../../components/RelativeTime";
import { address, narrowed } from "../../lib/address";
import { invoiceKinds } from "../invoices/InvoiceStatus";
import { money, personName } from "../sales/sales";
import { TicketPill } from "../tickets/TicketStatus";
import type { TransactionQuery } from "./transactions.generated";

type TicketRow = TransactionQuery["tickets"]["nodes"][number];
type InvoiceRow = TransactionQuery["invoices"]["nodes"][number];

const ticketColumns: Column<TicketRow>[] = [
  {
    header: "Ticket",
    cell: (ticket) => (
      <>
        <RowLink to={address("/tickets", ticket._id)}>{ticket.ticketName}</RowLink>
        <Quiet>{personName(ticket) ?? "No holder"}</Quiet>
      </>
    ),
  },
  { header: "Status", cell: (ticket) => <TicketPill status={ticket.status} /> },
  { header: "Seat", cell: (ticket) => ticket.seat || "–", visibleFrom: "sm" },
];

/** The tickets of a transaction. */
export function TicketsOf({ transactionId, tickets }: { transactionId: string; tickets: TransactionQuery["tickets"] }) {
  return (
    <>
      <DataTable
        label="Tickets"
        columns={ticketColumns}
        rows={tickets.nodes}
        rowKey={(ticket) => ticket._id}
        onRetry={() => undefined}
        empty={{ icon: Ticket, title: "No tickets", text: "No tickets were issued or imported for this transaction." }}
      />
      {tickets.pageInfo.hasNextPage && (
        <Anchor component={Link} to={narrowed("/tickets", "transaction", transactionId)} size="sm">
          View all tickets
        </Anchor>
      )}
    </>
  );
}

const invoiceColumns: Column<InvoiceRow>[] = [
  {
    header: "Number",
    cell: (invoice) => (
      <RowLink to={address("/invoices", invoice._id)}>
        {invoiceKinds[invoice.kind]} {invoice.number}
      </RowLink>
    ),
  },
  { header: "Total", cell: (invoice) => money(invoice.total, invoice.currency), align: "right" },
  { header: "Issued", cell: (invoice) => <RelativeTime at={invoice.issuedAt} />, visibleFrom: "sm" },
];

/** The invoices of a transaction and their cancellations. */
export function InvoicesOf({ invoices }: { invoices: TransactionQuery["invoices"] }) {
  return (
    <DataTable
      label="Invoices"
      columns={invoiceColumns}
      rows={invoices.nodes}
      rowKey={(invoice) => invoice._id}
      onRetry={() => undefined}
      empty={{ icon: FileText, title: "No invoices", text: "Invoices are issued when a checkout is completed." }}
    />
  );
}
