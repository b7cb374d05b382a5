import { Anchor, Stack } from "@mantine/core";
import { Link } from "react-router";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { PageTabs } from "../../components/PageTabs";
import { RelativeTime } from "../../components/RelativeTime";
import { RetryButton } from "../../components/RetryButton";
import { address, useRecordId } from "../../lib/address";
import { useMay } from "../../session/session";
import { Buyer } from "../sales/Buyer";
import { ItemTable } from "../sales/ItemTable";
import { CustomerLink } from "../sales/Links";
import { RawJson } from "../sales/RawJson";
import { Section } from "../sales/Section";
import { money } from "../sales/sales";
import { Attempts } from "../webhooks/Attempts";
import { HandOverPill, invoiceKinds, itemKinds } from "./InvoiceStatus";
import { InvoiceDocument, type InvoiceQuery, RetryInvoiceHandOverDocument } from "./invoices.generated";

type Invoice = InvoiceQuery["invoice"];

export default function InvoicePage() {
  const id = useRecordId();
  const [{ data, error }, again] = useQuery({ query: InvoiceDocument, variables: { id } });
  const invoice = data?.invoice;
  return (
    <Page
      title={invoice ? `${invoiceKinds[invoice.kind]} ${invoice.number}` : "Invoice"}
      parents={[{ to: "/invoices", label: "Invoices" }]}
      status={invoice && <HandOverPill of={invoice.handOver} />}
      actions={invoice && <HandOverAgain of={invoice} onRetry={() => again({ requestPolicy: "network-only" })} />}
    >
      <Loaded data={data} error={error} onRetry={again}>
        {(loaded) => (
          <PageTabs
            tabs={[
              { name: "invoice", label: "Invoice", panel: <Charged of={loaded.invoice} /> },
              loaded.invoice.handOver && {
                name: "handover",
                label: "Sending",
                panel: <Attempts of={loaded.invoice.handOver?.attempts?.toReversed() ?? []} />,
              },
              { name: "json", label: "JSON", panel: <RawJson value={loaded.invoice} edges={["transaction"]} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

function HandOverAgain({ of: { _id, handOver }, onRetry }: { of: Invoice; onRetry: () => void }) {
  const mayRetry = useMay("MANAGER");
  if (!handOver || !mayRetry) return null;
  return (
    <RetryButton
      label="Retry"
      document={RetryInvoiceHandOverDocument}
      variables={{ id: _id }}
      requested={handOver.retryRequested}
      onRetry={onRetry}
    />
  );
}

function Charged({ of: invoice }: { of: Invoice }) {
  return (
    <Stack gap="xl">
      <InvoiceFacts of={invoice} />
      <Section title="Items">
        <ItemTable
          currency={invoice.currency}
          items={invoice.items.map((item, i) => ({ ...item, key: `${i}`, kind: itemKinds[item.type] }))}
        />
      </Section>
      <Section title="Buyer">
        <Buyer of={{ ...invoice.buyer, identification: invoice.identification }} />
      </Section>
    </Stack>
  );
}

/** Returns the customer of the transaction if it is the buyer. */
function customerOf({ buyer, transaction }: Invoice) {
  return transaction?.customer?._id === buyer.customerId ? transaction?.customer : null;
}

function InvoiceFacts({ of: invoice }: { of: Invoice }) {
  const { cancels, currency } = invoice;
  return (
    <Facts
      facts={[
        ["ID", <CopyValue key="id" value={invoice._id} label="Copy ID" />],
        [
          "Transaction",
          <Anchor key="sale" component={Link} to={address("/transactions", invoice.transactionId)} size="sm">
            {invoice.tid}
          </Anchor>,
        ],
        ["Customer", <CustomerLink key="customer" id={invoice.buyer.customerId} customer={customerOf(invoice)} />],
        ["Net", money(invoice.netTotal, currency)],
        ["Tax", money(invoice.taxTotal, currency)],
        ["Total", money(invoice.total, currency)],
        ["Seller", `${invoice.seller.name} (${invoice.seller.country})`],
        ["Issued", <RelativeTime key="issued" at={invoice.issuedAt} />],
        [
          "Cancels",
          cancels ? (
            <Anchor key="cancels" component={Link} to={address("/invoices", cancels.invoiceId)} size="sm">
              Invoice {cancels.number}
            </Anchor>
          ) : (
            "None"
          ),
        ],
        ...invoice.taxes.map((tax): [string, string] => [
          `Tax (${tax.rate} %)`,
          `${money(tax.tax, currency)} included in ${money(tax.gross, currency)}`,
        ]),
      ]}
    />
  );
}
