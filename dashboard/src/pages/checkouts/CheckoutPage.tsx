import { Anchor, Stack } from "@mantine/core";
import { Link } from "react-router";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { PageTabs } from "../../components/PageTabs";
import { RelativeTime } from "../../components/RelativeTime";
import { address, useRecordId } from "../../lib/address";
import { Buyer } from "../sales/Buyer";
import { ItemTable } from "../sales/ItemTable";
import { CustomerLink, EventLink } from "../sales/Links";
import { RawJson } from "../sales/RawJson";
import { Section } from "../sales/Section";
import { money, personName } from "../sales/sales";
import { CheckoutPill, expiryOf } from "./CheckoutStatus";
import { CheckoutDocument, type CheckoutQuery } from "./checkouts.generated";

type Checkout = CheckoutQuery["checkout"];

export default function CheckoutPage() {
  const id = useRecordId();
  const [{ data, error }, again] = useQuery({ query: CheckoutDocument, variables: { id } });
  const name = data && personName(data.checkout);
  return (
    <Page
      title={name ? `Checkout by ${name}` : "Checkout"}
      parents={[{ to: "/checkouts", label: "Checkouts" }]}
      status={data && <CheckoutPill status={data.checkout.status} />}
    >
      <Loaded data={data} error={error} onRetry={again}>
        {({ checkout }) => (
          <PageTabs
            tabs={[
              {
                name: "checkout",
                label: "Checkout",
                panel: (
                  <Stack gap="xl">
                    <CheckoutFacts of={checkout} />
                    <Section title="Items">
                      <ItemTable
                        currency={checkout.currency}
                        items={checkout.items.map((item) => ({ ...item, key: item._id, kind: "Ticket" }))}
                      />
                    </Section>
                    <Section title="Buyer">
                      <Buyer of={checkout} />
                    </Section>
                  </Stack>
                ),
              },
              { name: "json", label: "JSON", panel: <RawJson value={checkout} edges={["event", "customer"]} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

function CheckoutFacts({ of: checkout }: { of: Checkout }) {
  const { transactionId, currency } = checkout;
  return (
    <Facts
      facts={[
        ["ID", <CopyValue key="id" value={checkout._id} label="Copy ID" />],
        ["Total", money(checkout.realPrice, currency)],
        ["Regular price", money(checkout.regularPrice, currency)],
        ["Event", <EventLink key="event" id={checkout.eventId} event={checkout.event} />],
        ["Customer", <CustomerLink key="customer" id={checkout.customerId} customer={checkout.customer} />],
        [
          "Transaction",
          transactionId ? (
            <Anchor key="sale" component={Link} to={address("/transactions", transactionId)} size="sm">
              {transactionId}
            </Anchor>
          ) : (
            "None yet"
          ),
        ],
        ["Expires", <RelativeTime key="expires" at={expiryOf(checkout)} />],
        ["Created", <RelativeTime key="created" at={checkout.createdAt} />],
        ["Updated", <RelativeTime key="changed" at={checkout.updatedAt} />],
      ]}
    />
  );
}
