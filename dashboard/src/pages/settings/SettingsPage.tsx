import { Button, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Link } from "react-router";
import { useQuery } from "urql";
import { CopyValue } from "../../components/CopyValue";
import { Editor } from "../../components/Editor";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { Panel } from "../../components/Panel";
import { RelativeTime } from "../../components/RelativeTime";
import { SaveButton } from "../../components/SaveButton";
import { useEdit } from "../../components/useEdit";
import { useNow } from "../../components/useNow";
import { changedOf } from "../../lib/changed";
import type { Fields } from "../../lib/conflict";
import { useAdministered, useMay, useSession } from "../../session/session";
import { NoSeller } from "../sellers/NoSeller";
import { SellerFields, type SellerValues, sellerInput } from "../sellers/SellerFields";
import { Members } from "./Members";
import { SellerSettingsDocument, type SellerSettingsQuery, UpdateSellerDocument } from "./settings.generated";

type Seller = SellerSettingsQuery["seller"];

export default function SettingsPage() {
  const { seller } = useSession();
  const mayChange = useMay("ADMIN");
  const mayCreate = useAdministered().length > 0;
  const [{ data, error }, again] = useQuery({
    query: SellerSettingsDocument,
    variables: { id: seller?._id ?? "" },
    pause: !seller,
  });
  if (!seller) {
    return (
      <Page title="Settings">
        <NoSeller />
      </Page>
    );
  }
  return (
    <Page
      title="Settings"
      text={mayChange ? undefined : "Only administrators can change settings."}
      actions={
        mayCreate && (
          <Button component={Link} to="/sellers/new" variant="default">
            Create seller
          </Button>
        )
      }
    >
      <Loaded data={data} error={error} onRetry={again}>
        {(loaded) => (
          <Stack gap="lg">
            <SellerFacts of={loaded.seller} />
            {mayChange && <Editor of={loaded.seller}>{(opened) => <ChangeSeller of={opened} />}</Editor>}
            {mayChange && <Members organizationId={loaded.seller.organizationId} />}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function SellerFacts({ of: seller }: { of: Seller }) {
  const { retentionDays } = useSession();
  return (
    <Facts
      facts={[
        ["Name", seller.name],
        ["Country", seller.country],
        ["Seller ID", <CopyValue key="id" value={seller._id} label="Copy seller ID" />],
        ["Organization ID", <CopyValue key="org" value={seller.organizationId} label="Copy organization ID" />],
        ["Webhooks", seller.webhooks ? "On" : "Off"],
        ["Company identification", seller.siren ? "On" : "Off"],
        ["Retention", `${retentionDays} days for deliveries, one year longer for scans. Set by the operator.`],
        ["Created", <RelativeTime key="created" at={seller.createdAt} />],
        ["Updated", <RelativeTime key="changed" at={seller.updatedAt} />],
      ]}
    />
  );
}

const sellerFields: Fields<SellerValues> = {
  name: "Name",
  country: "Country",
  webhooks: "Webhooks",
  siren: "Company identification (SIREN)",
};

const sellerValues = ({ name, country, webhooks, siren }: Seller): SellerValues => ({ name, country, webhooks, siren });

function ChangeSeller({ of: seller }: { of: Seller }) {
  const { refresh } = useSession();
  const form = useForm<SellerValues>({ initialValues: sellerValues(seller) });
  const load = useNow(SellerSettingsDocument);
  const { save, busy, dialog } = useEdit(UpdateSellerDocument, {
    of: seller,
    form,
    values: sellerValues,
    fields: sellerFields,
    variables: (values, over) => ({
      input: { ...changedOf(sellerInput(values), sellerInput(over)), expectedUpdatedAt: over.updatedAt },
    }),
    load: async () => (await load({ id: seller._id }))?.seller,
    done: "Settings saved",
    onSaved: refresh,
  });
  return (
    <Panel title="Seller and features" maw={560}>
      <form onSubmit={form.onSubmit(save)}>
        <Stack>
          <SellerFields form={form} />
          <Group>
            <SaveButton busy={busy} changed={form.isDirty()} />
          </Group>
        </Stack>
      </form>
      {dialog}
    </Panel>
  );
}
