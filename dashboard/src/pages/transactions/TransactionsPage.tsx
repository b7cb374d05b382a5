import { ReceiptText } from "lucide-react";
import { useQuery } from "urql";
import { Lines, Quiet, RowLink, Whole } from "../../components/cells";
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
import { PaymentPill, TransactionPill } from "./TransactionStatus";
import { origins, paymentMethods, paymentStates, transactionStates } from "./transactions";
import { TransactionsDocument, type TransactionsQuery } from "./transactions.generated";

type Row = TransactionsQuery["transactions"]["nodes"][number];

const columns: Column<Row>[] = [
  {
    header: "Buyer",
    cell: (transaction) => (
      <Lines>
        <RowLink to={address("/transactions", transaction._id)}>{personName(transaction) ?? transaction.tid}</RowLink>
        <Quiet>{transaction.tid}</Quiet>
        <Quiet hiddenFrom="sm">
          <Whole>{money(transaction.realPrice, transaction.currency)}</Whole>
        </Quiet>
      </Lines>
    ),
  },
  { header: "Status", cell: (transaction) => <TransactionPill status={transaction.status} /> },
  { header: "Payment", cell: (transaction) => <PaymentPill status={transaction.paymentStatus} />, visibleFrom: "sm" },
  {
    header: "Total",
    cell: (transaction) => money(transaction.realPrice, transaction.currency),
    visibleFrom: "sm",
    align: "right",
  },
  {
    header: "Created",
    cell: (transaction) => <RelativeTime at={transaction.createdAt} never="not known" />,
    visibleFrom: "md",
  },
];

const names = [
  "q",
  "email",
  choice("status", Object.keys(transactionStates)),
  choice("payment", Object.keys(paymentStates)),
  choice("method", Object.keys(paymentMethods)),
  choice("origin", Object.keys(origins)),
  "event",
  "customer",
  "from",
  "until",
] as const;
const context = { additionalTypenames: ["Transaction"] };

/** The question for what an address shows. */
const transactionsAt = ({ values, after }: Narrowed<typeof names>) => ({
  query: TransactionsDocument,
  variables: { first: 50, after, filter: filterOf(values) },
  context,
});

export const asks: Asks = ({ search }) => [transactionsAt(filtersIn(search, names))];

export default function TransactionsPage() {
  const filters = useFilters(...names);
  const [{ data, error }, again] = useQuery(transactionsAt(filters));
  return (
    <Page title="Transactions" text="What was sold, to whom, and how far it has come. Newest first.">
      <TransactionFilters filters={filters} refresh={() => again({ requestPolicy: "network-only" })} />
      <DataTable
        label="Transactions"
        columns={columns}
        rows={data?.transactions.nodes}
        rowKey={(transaction) => transaction._id}
        error={error}
        onRetry={again}
        filtered={filters.filtered}
        onClearFilters={filters.clear}
        paging={{ ...filters, next: nextPage(data?.transactions.pageInfo) }}
        empty={{
          icon: ReceiptText,
          title: "No transactions yet",
          text: "They appear here when a checkout is completed, or when they are imported by importTransactions.",
        }}
      />
    </Page>
  );
}

function filterOf(values: Filters["values"]) {
  const { q, email, status, payment, method, origin, event, customer } = values;
  const { from, until } = daySpan(values.from, values.until);
  return {
    text: q,
    email,
    status: oneOf(transactionStates, status),
    paymentStatus: oneOf(paymentStates, payment),
    paymentMethod: oneOf(paymentMethods, method),
    origin: oneOf(origins, origin),
    eventId: event,
    customerId: customer,
    createdFrom: from,
    createdUntil: until,
  };
}

function TransactionFilters({ filters, refresh }: { filters: Filters; refresh: () => void }) {
  const { values, set } = filters;
  return (
    <FilterBar>
      <SearchFilter label="Name, e-mail, number or id" value={values.q} onChange={(q) => set({ q })} />
      <MoreFilters
        values={[
          values.email,
          values.status,
          values.payment,
          values.method,
          values.origin,
          values.event,
          values.from,
          values.until,
        ]}
      >
        <SearchFilter slash={false} label="Whole e-mail" value={values.email} onChange={(email) => set({ email })} />
        <SelectFilter
          label="Status"
          any="Any status"
          options={optionsOf(transactionStates)}
          value={values.status}
          onChange={(status) => set({ status })}
        />
        <SelectFilter
          label="Payment status"
          any="Any payment status"
          options={optionsOf(paymentStates)}
          value={values.payment}
          onChange={(payment) => set({ payment })}
        />
        <SelectFilter
          label="Payment method"
          any="Any method"
          options={optionsOf(paymentMethods)}
          value={values.method}
          onChange={(method) => set({ method })}
        />
        <SelectFilter
          label="Origin"
          any="Any origin"
          options={optionsOf(origins)}
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
