import { Group, Stack } from "@mantine/core";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { PageTabs } from "../../components/PageTabs";
import { RelativeTime } from "../../components/RelativeTime";
import { useRecordId } from "../../lib/address";
import { useMay } from "../../session/session";
import { Buyer } from "../sales/Buyer";
import { CustomerLink, EventLink } from "../sales/Links";
import { Masked } from "../sales/Masked";
import { RawJson } from "../sales/RawJson";
import { Section } from "../sales/Section";
import { money } from "../sales/sales";
import { DeliveriesOf } from "../webhooks/DeliveriesOf";
import { History } from "./History";
import { InvoicesOf, TicketsOf } from "./Issued";
import { Items } from "./Items";
import { PaymentPill, TransactionPill } from "./TransactionStatus";
import { origins, paymentMethods, type Transaction } from "./transactions";
import { RawTransactionDocument, TransactionDocument, type TransactionQuery } from "./transactions.generated";

export default function TransactionPage() {
  const id = useRecordId();
  const developer = useMay("DEVELOPER");
  const [{ data, error }, again] = useQuery({ query: TransactionDocument, variables: { id } });
  const transaction = data?.transaction;
  return (
    <Page
      title={transaction ? `Transaction ${transaction.tid}` : "Transaction"}
      parents={[{ to: "/transactions", label: "Transactions" }]}
      status={
        transaction && (
          <Group gap="xs">
            <TransactionPill status={transaction.status} />
            {transaction.paymentStatus && <PaymentPill status={transaction.paymentStatus} />}
          </Group>
        )
      }
    >
      <Loaded data={data} error={error} onRetry={again}>
        {(loaded) => (
          <PageTabs
            tabs={[
              { name: "sale", label: "Sale", panel: <Sale {...loaded} /> },
              { name: "history", label: "History", panel: <History id={id} /> },
              developer && { name: "deliveries", label: "Deliveries", panel: <DeliveriesOf objectId={id} /> },
              { name: "json", label: "JSON", panel: <Raw id={id} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

function Sale({ transaction, tickets, invoices }: TransactionQuery) {
  return (
    <Stack gap="xl">
      <TransactionFacts of={transaction} />
      <Section title="Items">
        <Items of={transaction} />
      </Section>
      <Section title="Buyer">
        <Buyer of={transaction} />
      </Section>
      <Section title="Tickets">
        <TicketsOf transactionId={transaction._id} tickets={tickets} />
      </Section>
      <Section title="Invoices">
        <InvoicesOf invoices={invoices} />
      </Section>
    </Stack>
  );
}

function TransactionFacts({ of: transaction }: { of: Transaction }) {
  const { currency, origin, paymentMethod } = transaction;
  const codes = [...transaction.coupons, ...(transaction.vouchers ?? [])];
  return (
    <Facts
      facts={[
        ["ID", <CopyValue key="id" value={transaction._id} label="Copy ID" />],
        ["Number", <CopyValue key="tid" value={transaction.tid} label="Copy number" />],
        ["Secret", <Masked key="secret" value={transaction.secret} name="secret" />],
        ["Total", money(transaction.realPrice, currency)],
        ["Regular price", money(transaction.regularPrice, currency)],
        ["Payment method", paymentMethod ? paymentMethods[paymentMethod] : "Unknown"],
        ["Event", <EventLink key="event" id={transaction.eventId} event={transaction.event} />],
        ["Customer", <CustomerLink key="customer" id={transaction.customerId} customer={transaction.customer} />],
        ["Origin", origin ? origins[origin] : "Unknown"],
        ["Coupons and vouchers", codes.join(", ") || "None"],
        ["Created", <RelativeTime key="created" at={transaction.createdAt} never="Unknown" />],
        ["Updated", <RelativeTime key="changed" at={transaction.updatedAt} never="Unknown" />],
      ]}
    />
  );
}

function Raw({ id }: { id: string }) {
  const [{ data, error }, again] = useQuery({ query: RawTransactionDocument, variables: { id } });
  return (
    <Loaded data={data} error={error} onRetry={again}>
      {({ transaction }) => <RawJson value={transaction} secrets={["secret"]} />}
    </Loaded>
  );
}
