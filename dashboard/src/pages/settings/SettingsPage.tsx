import { Button, Group, Paper, Stack, Switch, TextInput, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Store } from "lucide-react";
import { useQuery } from "urql";
import { useMay, useSession } from "../../app/session";
import { CopyValue } from "../../components/CopyValue";
import { EmptyState } from "../../components/EmptyState";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { RelativeTime } from "../../components/RelativeTime";
import { useAction } from "../../components/useAction";
import { Members } from "./Members";
import { SellerSettingsDocument, type SellerSettingsQuery, UpdateSellerDocument } from "./settings.generated";

type Seller = SellerSettingsQuery["seller"];

export default function SettingsPage() {
  const { seller } = useSession();
  const mayChange = useMay("ADMIN");
  const [{ data, error }, again] = useQuery({
    query: SellerSettingsDocument,
    variables: { id: seller?._id ?? "" },
    pause: !seller,
  });
  if (!seller) {
    return (
      <Page title="Settings">
        <EmptyState
          icon={Store}
          title="No seller"
          text="You are not a member of any seller yet. Ask an administrator."
        />
      </Page>
    );
  }
  return (
    <Page
      title="Settings"
      text={mayChange ? undefined : "Settings are changed by administrators; you can look at them."}
    >
      <Loaded data={data} error={error} onRetry={again}>
        {(loaded) => (
          <Stack gap="lg">
            <SellerFacts of={loaded.seller} />
            {mayChange && <ChangeSeller key={loaded.seller.updatedAt} of={loaded.seller} />}
            {mayChange && <Members />}
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
        ["Seller id", <CopyValue key="id" value={seller._id} label="Copy the seller's id" />],
        ["Organization id", <CopyValue key="org" value={seller.organizationId} label="Copy the organization's id" />],
        ["Webhooks", seller.webhooks ? "on" : "off"],
        ["Company identification", seller.siren ? "on" : "off"],
        ["Deliveries are kept", `${retentionDays} days, scans a year longer: the operator's setting`],
        ["Created", <RelativeTime key="created" at={seller.createdAt} />],
        ["Changed", <RelativeTime key="changed" at={seller.updatedAt} />],
      ]}
    />
  );
}

function ChangeSeller({ of: seller }: { of: Seller }) {
  const { refresh } = useSession();
  const { name, country, webhooks, siren } = seller;
  const form = useForm({ initialValues: { name, country, webhooks, siren } });
  const [update, busy] = useAction(UpdateSellerDocument, { form, done: "The settings were changed" });
  async function submit(values: typeof form.values) {
    if (await update({ input: { ...values, country: values.country.toUpperCase() } })) refresh();
  }
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="change-seller">
      <form onSubmit={form.onSubmit(submit)}>
        <Stack maw={560}>
          <Title order={2} size="h4" id="change-seller">
            Seller and features
          </Title>
          <TextInput label="Name" required {...form.getInputProps("name")} />
          <TextInput
            label="Country"
            description="Two letters, such as FR"
            required
            maxLength={2}
            w={140}
            {...form.getInputProps("country")}
          />
          <Switch
            label="Webhooks"
            description="Developers can create webhooks, and events are delivered to them."
            {...form.getInputProps("webhooks", { type: "checkbox" })}
          />
          <Switch
            label="Company identification (SIREN)"
            description="Whoever buys for a company in France must give its SIREN number."
            {...form.getInputProps("siren", { type: "checkbox" })}
          />
          <Group>
            <Button type="submit" loading={busy} disabled={!form.isDirty()}>
              Save changes
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
