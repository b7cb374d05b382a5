import { Button, Stack } from "@mantine/core";
import { Link } from "react-router";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { PageTabs } from "../../components/PageTabs";
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
          <PageTabs
            tabs={[
              {
                name: "customer",
                label: "Customer",
                panel: (
                  <Stack gap="lg">
                    <Facts
                      facts={[
                        ["ID", <CopyValue key="id" value={customer._id} label="Copy ID" />],
                        ["Created", <RelativeTime key="created" at={customer.createdAt} />],
                        ["Updated", <RelativeTime key="changed" at={customer.updatedAt} />],
                      ]}
                    />
                    <Buyer of={customer} />
                  </Stack>
                ),
              },
              developer && { name: "deliveries", label: "Deliveries", panel: <DeliveriesOf objectId={id} /> },
              { name: "json", label: "JSON", panel: <RawJson value={customer} /> },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

function Bought({ id }: { id: string }) {
  return (
    <>
      <Button component={Link} to={narrowed("/transactions", "customer", id)} variant="default">
        View transactions
      </Button>
      <Button component={Link} to={narrowed("/tickets", "customer", id)} variant="default">
        View tickets
      </Button>
    </>
  );
}
