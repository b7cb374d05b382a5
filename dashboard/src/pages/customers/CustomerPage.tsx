import { Button, Stack, Tabs } from "@mantine/core";
import { Link, useSearchParams } from "react-router";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { narrowed, useRecordId } from "../../lib/address";
import { useMay } from "../../session/session";
import { Buyer } from "../sales/Buyer";
import { RawJson } from "../sales/RawJson";
import { personName } from "../sales/sales";
import { DeliveriesOf } from "../webhooks/DeliveriesOf";
import { CustomerDocument } from "./customers.generated";

export default function CustomerPage() {
  const id = useRecordId();
  const [search, setSearch] = useSearchParams();
  const developer = useMay("DEVELOPER");
  const [{ data, error }, again] = useQuery({ query: CustomerDocument, variables: { id } });
  return (
    <Page
      title={(data && personName(data.customer)) ?? "Customer"}
      parents={[{ to: "/customers", label: "Customers" }]}
      actions={data && <Bought id={id} />}
    >
      <Loaded data={data} error={error} onRetry={again}>
        {({ customer }) => (
          <Tabs
            value={search.get("tab") ?? "customer"}
            onChange={(tab) => setSearch(tab === "customer" ? {} : { tab: tab ?? "" })}
            keepMounted={false}
          >
            <Tabs.List mb="lg">
              <Tabs.Tab value="customer">Customer</Tabs.Tab>
              {developer && <Tabs.Tab value="deliveries">Deliveries</Tabs.Tab>}
              <Tabs.Tab value="json">JSON</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="customer">
              <Stack gap="lg">
                <Facts
                  facts={[
                    ["Id", <CopyValue key="id" value={customer._id} label="Copy the id" />],
                    ["Created", <RelativeTime key="created" at={customer.createdAt} />],
                    ["Changed", <RelativeTime key="changed" at={customer.updatedAt} />],
                  ]}
                />
                <Buyer of={customer} />
              </Stack>
            </Tabs.Panel>
            <Tabs.Panel value="deliveries">
              <DeliveriesOf objectId={id} />
            </Tabs.Panel>
            <Tabs.Panel value="json">
              <RawJson value={customer} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
    </Page>
  );
}

function Bought({ id }: { id: string }) {
  return (
    <>
      <Button component={Link} to={narrowed("/transactions", "customer", id)} variant="default">
        Transactions
      </Button>
      <Button component={Link} to={narrowed("/tickets", "customer", id)} variant="default">
        Tickets
      </Button>
    </>
  );
}
