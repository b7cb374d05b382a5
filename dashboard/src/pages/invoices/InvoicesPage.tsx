import { FileText } from "lucide-react";
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
  { header: "Handed over", cell: (invoice) => <HandOverPill of={invoice.handOver} />, visibleFrom: "sm" },
  { header: "Transaction", cell: (invoice) => invoice.tid, visibleFrom: "md" },
  { header: "Issued", cell: (invoice) => <RelativeTime at={invoice.issuedAt} />, visibleFrom: "sm" },
];

const context = { additionalTypenames: ["Invoice"] };

const names = [
  "q",
  "number",
  choice("kind", Object.keys(invoiceKinds)),
  choice("state", Object.keys(handOverStates)),
  "transaction",
  "from",
  "until",
] as const;

/** The question for what an address shows. */
function invoicesAt({ values, after }: Narrowed<typeof names>) {
  const { q, number, kind, state, transaction, from, until } = values;
  const span = daySpan(from, until);
  const filter = {
    text: q,
    number: number && /^\d{1,9}$/.test(number) ? Number(number) : undefined,
    kind: oneOf(invoiceKinds, kind),
    handOverState: oneOf(handOverStates, state),
    transactionId: transaction,
    issuedFrom: span.from,
    issuedUntil: span.until,
  };
  return { query: InvoicesDocument, variables: { first: 50, after, filter }, context };
}

export const asks: Asks = ({ search }) => [invoicesAt(filtersIn(search, names))];

export default function InvoicesPage() {
  const filters = useFilters(...names);
  const [{ data, error }, again] = useQuery(invoicesAt(filters));
  return (
    <Page title="Invoices" text="What buyers were charged, and what of it was taken back. Newest first.">
      <InvoiceFilters filters={filters} refresh={() => again({ requestPolicy: "network-only" })} />
      <DataTable
        label="Invoices"
        columns={columns}
        rows={data?.invoices.nodes}
        rowKey={(invoice) => invoice._id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.invoices.pageInfo) }}
        empty={{
          icon: FileText,
          title: "No invoices yet",
          text: "An invoice is issued for every transaction that a completed checkout makes.",
        }}
      />
    </Page>
  );
}

function InvoiceFilters({ filters, refresh }: { filters: Filters; refresh: () => void }) {
  const { values, set } = filters;
  return (
    <FilterBar>
      <SearchFilter label="Name, e-mail, SIREN or id" value={values.q} onChange={(q) => set({ q })} />
      <MoreFilters values={[values.number, values.kind, values.state, values.from, values.until]}>
        <SearchFilter slash={false} label="Number" value={values.number} onChange={(number) => set({ number })} />
        <SelectFilter
          label="Kind"
          any="Any kind"
          options={optionsOf(invoiceKinds)}
          value={values.kind}
          onChange={(kind) => set({ kind })}
        />
        <SelectFilter
          label="Hand-over"
          any="Any hand-over"
          options={optionsOf(handOverStates)}
          value={values.state}
          onChange={(state) => set({ state })}
        />
        <DayFilter
          label="Issued between"
          from={values.from}
          until={values.until}
          onChange={(from, until) => set({ from, until })}
        />
      </MoreFilters>
      <LiveSwitch refresh={refresh} />
    </FilterBar>
  );
}
