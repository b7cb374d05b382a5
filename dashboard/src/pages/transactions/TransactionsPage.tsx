import { ReceiptText } from "lucide-react";
import { Lines, Quiet, RowLink, Whole } from "../../components/cells";
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
    cell: (transaction) => <RelativeTime at={transaction.createdAt} never="Unknown" />,
    visibleFrom: "md",
  },
];

const transactions = defineList({
  document: TransactionsDocument,
  rows: (data) => data.transactions,
  types: ["Transaction"],
  fields: [search("q", "Name, email, number or ID")],
  more: [
    search("email", "Exact email"),
    select({ name: "status", label: "Status", of: transactionStates }),
    select({ name: "payment", label: "Payment status", of: paymentStates }),
    select({ name: "method", label: "Payment method", any: "Any method", of: paymentMethods }),
    select({ name: "origin", label: "Origin", of: origins }),
    choices({ name: "event", label: "Event", useOptions: useAllEvents }),
    days("Created"),
  ],
  linked: ["customer"],
  variables(page, { q, email, status, payment, method, origin, event, customer, from, until }) {
    const filter = {
      text: q,
      email,
      status: oneOf(transactionStates, status),
      paymentStatus: oneOf(paymentStates, payment),
      paymentMethod: oneOf(paymentMethods, method),
      origin: oneOf(origins, origin),
      eventId: event,
      customerId: customer,
      ...daySpan("created", from, until),
    };
    return { ...page, filter };
  },
});

export const { asks } = transactions;

export default function TransactionsPage() {
  return (
    <ListPage
      title="Transactions"
      text="Orders and their status, newest first."
      list={transactions}
      columns={columns}
      live
      empty={{
        icon: ReceiptText,
        title: "No transactions yet",
        text: "Transactions appear here when a checkout is completed, or when you import them with importTransactions.",
      }}
    />
  );
}
