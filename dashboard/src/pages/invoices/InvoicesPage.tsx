import { FileText } from "lucide-react";
import { Lines, Quiet, RowLink } from "../../components/cells";
import type { Column } from "../../components/DataTable";
import { days } from "../../components/DayFilter";
import { search, select } from "../../components/fields";
import { ListPage } from "../../components/ListPage";
import { defineList } from "../../components/list";
import { RelativeTime } from "../../components/RelativeTime";
import { address } from "../../lib/address";
import { daySpan } from "../../lib/days";
import { oneOf } from "../../lib/states";
import { money, personName } from "../sales/sales";
import { HandOverPill, handOverStates, invoiceKinds } from "./InvoiceStatus";
import { InvoicesDocument, type InvoicesQuery } from "./invoices.generated";

type Row = InvoicesQuery["invoices"]["nodes"][number];

const columns: Column<Row>[] = [
  {
    header: "Number",
    cell: (invoice) => (
      <Lines>
        <RowLink to={address("/invoices", invoice._id)}>
          {invoiceKinds[invoice.kind]} {invoice.number}
        </RowLink>
        <Quiet lines={2}>{personName(invoice.buyer) ?? invoice.tid}</Quiet>
      </Lines>
    ),
  },
  { header: "Total", cell: (invoice) => money(invoice.total, invoice.currency), align: "right" },
  { header: "Sending", cell: (invoice) => <HandOverPill of={invoice.handOver} />, visibleFrom: "sm" },
  { header: "Transaction", cell: (invoice) => invoice.tid, visibleFrom: "md" },
  { header: "Issued", cell: (invoice) => <RelativeTime at={invoice.issuedAt} />, visibleFrom: "sm" },
];

const invoices = defineList({
  document: InvoicesDocument,
  rows: (data) => data.invoices,
  types: ["Invoice"],
  fields: [search("q", "Name, email, SIREN or ID")],
  more: [
    search("number", "Number"),
    select({ name: "kind", label: "Kind", of: invoiceKinds }),
    select({ name: "state", label: "Sending status", of: handOverStates }),
    days("Issued"),
  ],
  linked: ["transaction"],
  variables(page, { q, number, kind, state, transaction, from, until }) {
    const filter = {
      text: q,
      number: number && /^\d{1,9}$/.test(number) ? Number(number) : undefined,
      kind: oneOf(invoiceKinds, kind),
      handOverState: oneOf(handOverStates, state),
      transactionId: transaction,
      ...daySpan("issued", from, until),
    };
    return { ...page, filter };
  },
});

export const { asks } = invoices;

export default function InvoicesPage() {
  return (
    <ListPage
      title="Invoices"
      text="Invoices and cancellations, newest first."
      list={invoices}
      columns={columns}
      live
      empty={{
        icon: FileText,
        title: "No invoices yet",
        text: "An invoice is issued for every completed checkout.",
      }}
    />
  );
}
