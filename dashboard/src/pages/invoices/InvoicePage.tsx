import { Anchor, Button, Stack, Tabs } from "@mantine/core";
import { Send } from "lucide-react";
import { Link, useSearchParams } from "react-router";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { useAction } from "../../components/useAction";
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
  const [search, setSearch] = useSearchParams();
  const [{ data, error }, again] = useQuery({ query: InvoiceDocument, variables: { id } });
  const invoice = data?.invoice;
  return (
    <Page
      title={invoice ? `${invoiceKinds[invoice.kind]} ${invoice.number}` : "Invoice"}
      parents={[{ to: "/invoices", label: "Invoices" }]}
      status={invoice && <HandOverPill of={invoice.handOver} />}
      actions={invoice && <RetryButton of={invoice} onRetry={() => again({ requestPolicy: "network-only" })} />}
    >
      <Loaded data={data} error={error} onRetry={again}>
        {(loaded) => (
          <Tabs
            value={search.get("tab") ?? "invoice"}
            onChange={(tab) => setSearch(tab === "invoice" ? {} : { tab: tab ?? "" })}
            keepMounted={false}
          >
            <Tabs.List mb="lg">
              <Tabs.Tab value="invoice">Invoice</Tabs.Tab>
              {loaded.invoice.handOver && <Tabs.Tab value="handover">Hand-over</Tabs.Tab>}
              <Tabs.Tab value="json">JSON</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="invoice">
              <Charged of={loaded.invoice} />
            </Tabs.Panel>
            <Tabs.Panel value="handover">
              <Attempts of={loaded.invoice.handOver?.attempts?.toReversed() ?? []} />
            </Tabs.Panel>
            <Tabs.Panel value="json">
              <RawJson value={loaded.invoice} edges={["transaction"]} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
    </Page>
  );
}

function RetryButton({ of: { _id, handOver }, onRetry }: { of: Invoice; onRetry: () => void }) {
  const mayRetry = useMay("MANAGER");
  const [retry, busy] = useAction(RetryInvoiceHandOverDocument, { done: "An attempt was asked for" });
  if (!handOver || !mayRetry) return null;
  return (
    <Button
      leftSection={<Send size={16} aria-hidden />}
      loading={busy}
      disabled={handOver.retryRequested}
      onClick={async () => {
        if (await retry({ id: _id })) onRetry();
      }}
    >
      Hand over again
    </Button>
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

/** The customer that the buyer is, as far as the sale names the same. */
function customerOf({ buyer, transaction }: Invoice) {
  return transaction?.customer?._id === buyer.customerId ? transaction?.customer : null;
}

function InvoiceFacts({ of: invoice }: { of: Invoice }) {
  const { cancels, currency } = invoice;
  return (
    <Facts
      facts={[
        ["Id", <CopyValue key="id" value={invoice._id} label="Copy the id" />],
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
          "Takes back",
          cancels ? (
            <Anchor key="cancels" component={Link} to={address("/invoices", cancels.invoiceId)} size="sm">
              Invoice {cancels.number}
            </Anchor>
          ) : (
            "nothing"
          ),
        ],
        ...invoice.taxes.map((tax): [string, string] => [
          `Tax of ${tax.rate} %`,
          `${money(tax.tax, currency)} in ${money(tax.gross, currency)}`,
        ]),
      ]}
    />
  );
}
